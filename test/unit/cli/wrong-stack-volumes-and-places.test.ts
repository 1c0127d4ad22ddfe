import { describeApplications } from '../../support/people/wrong-inputs/wrong-stack.ts';

describeApplications('volumes, rights and places of an application with', {
  'a volume with capitals in its name': [
    'volumes: [{ name: Models, emptyDir: {} }]',
    'volumes[0].name: must consist of lower-case letters, digits and \'-\', and start and end with a letter or digit (got "Models"). Write a name like team-a.',
  ],
  'two volumes of one name': [
    'volumes: [{ name: a, emptyDir: {} }, { name: a, emptyDir: {} }]',
    'volumes[1].name: appears twice (got "a"). Choose another for one of them.',
  ],
  'a volume of two sources': [
    'volumes: [{ name: a, emptyDir: {}, configMap: { name: b } }]',
    'volumes[0]: has 2 sources (configMap, emptyDir). Leave one of them.',
  ],
  'a volume of a misspelt source': [
    'volumes: [{ name: a, emptydir: {} }]',
    'volumes[0].emptydir: is not a field of this API. Did you mean emptyDir?',
  ],
  'a mount without a path': [
    'volumeMounts: [{ name: a }]',
    'volumeMounts[0].mountPath: is required. Write mountPath: ….',
  ],
  'two mounts of one path': [
    'volumeMounts: [{ name: a, mountPath: /a }, { name: b, mountPath: /a }]',
    'volumeMounts[1].mountPath: appears twice (got "/a"). Choose another for one of them.',
  ],
  'a mount that climbs out of its volume': [
    'volumeMounts: [{ name: a, mountPath: /a, subPath: ../b }]',
    'volumeMounts[0].subPath: must not contain \'..\' (got "../b"). Name a folder of the volume.',
  ],
  'an init container without an image': [
    'initContainers: [{ name: a }]',
    'initContainers[0].image: is required. Write image: ….',
  ],
  'an init container with capitals in its name': [
    'initContainers: [{ name: Fetch, image: a }]',
    'initContainers[0].name: must consist of lower-case letters, digits and \'-\', and start and end with a letter or digit (got "Fetch"). Write a name like team-a.',
  ],
  'an init container with a misspelt field': [
    'initContainers: [{ name: a, image: b, cmd: [ls] }]',
    'initContainers[0].cmd: is not a field of this API. Known fields are args, command, env, envFrom, image, imagePullPolicy, lifecycle, livenessProbe, name, ports, readinessProbe and 13 more.',
  ],
  'an init container with a wrong amount': [
    'initContainers: [{ name: a, image: b, resources: { limits: { cpu: x } } }]',
    'initContainers[0].resources.limits.cpu: is not an amount (got "x"). Write it like 500m, 2, 512Mi or 8Gi.',
  ],
  'a user that is root, and must not be': [
    'securityContext: { runAsNonRoot: true, runAsUser: 0 }',
    'securityContext.runAsUser: is root, which runAsNonRoot forbids (got 0). Choose another user, or leave runAsNonRoot out.',
  ],
  'a user by name': [
    'securityContext: { runAsUser: nobody }',
    'securityContext.runAsUser: must be of type integer (got "nobody"). Write a whole number.',
  ],
  'a security context with a misspelt field': [
    'securityContext: { runAsNonroot: true }',
    'securityContext.runAsNonroot: is not a field of this API. Did you mean runAsNonRoot?',
  ],
  'a privileged container that may not escalate': [
    'securityContext: { privileged: true, allowPrivilegeEscalation: false }',
    'securityContext.allowPrivilegeEscalation: contradicts privileged: true (got false). Leave one of them out.',
  ],
  'an unknown seccomp profile': [
    'securityContext: { seccompProfile: { type: Default } }',
    'securityContext.seccompProfile.type: must be one of RuntimeDefault, Unconfined, Localhost (got "Default"). Choose one of them.',
  ],
  'capabilities as a text': [
    'securityContext: { capabilities: { drop: ALL } }',
    'securityContext.capabilities.drop: must be of type array (got "ALL"). Write a list, such as [first, second].',
  ],
  'a group of files by name': [
    'podSecurityContext: { fsGroup: users }',
    'podSecurityContext.fsGroup: must be of type integer (got "users"). Write a whole number.',
  ],
  'a priority class with capitals': [
    'priorityClassName: High',
    "priorityClassName: must consist of lower-case letters, digits, '-' and '.', and start and end with a letter or digit (got \"High\"). Write a name like chat-2.",
  ],
  'a runtime class with a space': [
    'runtimeClassName: nvidia gpu',
    "runtimeClassName: must consist of lower-case letters, digits, '-' and '.', and start and end with a letter or digit (got \"nvidia gpu\"). Write a name like chat-2.",
  ],
  'an affinity of an unknown kind': [
    'affinity: { nodeafinity: {} }',
    'affinity.nodeafinity: is not a field of this API. Did you mean nodeAffinity?',
  ],
  'an affinity that no node meets': [
    'affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } }',
    'affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms: is empty, which no node meets. Say what a node must have, or leave it out.',
  ],
  'an affinity to no value': [
    'affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: a, operator: In }] }] } } }',
    'affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values: is needed for In. Write a list of values.',
  ],
  'an affinity that compares with a text': [
    'affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: a, operator: Gt, values: [big] }] }] } } }',
    'affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values: must be one whole number for Gt (got ["big"]). Write one number in quotes, such as [\'40000\'].',
  ],
  'an affinity with a value for Exists': [
    'affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: a, operator: Exists, values: [b] }] }] } } }',
    'affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values: must be empty for Exists (got ["b"]). Leave the values out.',
  ],
  'an affinity of a weight above 100': [
    'affinity: { podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 200, podAffinityTerm: { topologyKey: a } }] } }',
    'affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: must be at most 100 (got 200). Use a number from 1 to 100.',
  ],
  'an affinity without a topology': [
    'affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: {} }] } }',
    'affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: is required. Write topologyKey: ….',
  ],
  'a spread without a topology': [
    'topologySpreadConstraints: [{ maxSkew: 1, whenUnsatisfiable: ScheduleAnyway }]',
    'topologySpreadConstraints[0].topologyKey: is required. Write topologyKey: ….',
  ],
  'a spread by nothing': [
    'topologySpreadConstraints: [{ maxSkew: 0, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway }]',
    'topologySpreadConstraints[0].maxSkew: must be at least 1 (got 0). Use 1 or more.',
  ],
  'a spread with an unknown answer': [
    'topologySpreadConstraints: [{ maxSkew: 1, topologyKey: zone, whenUnsatisfiable: Ignore }]',
    'topologySpreadConstraints[0].whenUnsatisfiable: must be one of DoNotSchedule, ScheduleAnyway (got "Ignore"). Choose one of them.',
  ],
});
