import { describeApplications } from '../../support/people/wrong-inputs/wrong-stack.ts';

describeApplications('probes, variables and ports of an application with', {
  'a probe with a misspelt field': [
    'livenessProbe: { httpGet: { port: 80 }, initialDelay: 3 }',
    'livenessProbe.initialDelay: is not a field of this API. Did you mean initialDelaySeconds?',
  ],
  'a probe without a way to ask': [
    'livenessProbe: { initialDelaySeconds: 3 }',
    'livenessProbe: names no way to ask. Write one of httpGet, tcpSocket, exec and grpc.',
  ],
  'a probe with two ways to ask': [
    'readinessProbe: { httpGet: { port: 80 }, tcpSocket: { port: 80 } }',
    'readinessProbe.tcpSocket: is a second way to ask, beside httpGet. Leave one.',
  ],
  'a probe without a port': [
    'readinessProbe: { httpGet: { path: /healthz } }',
    'readinessProbe.httpGet.port: is required. Write port: ….',
  ],
  'a probe of a port that is too large': [
    'readinessProbe: { httpGet: { port: 70000 } }',
    'readinessProbe.httpGet.port: must be at most 65535 (got 70000). Use a number from 1 to 65535.',
  ],
  'a probe of a port by a name with capitals': [
    'readinessProbe: { httpGet: { port: HTTP } }',
    'readinessProbe.httpGet.port: must consist of lower-case letters, digits and single \'-\', with a letter among them (got "HTTP"). Write a name like http.',
  ],
  'a probe of a port by a name that is too long': [
    'readinessProbe: { httpGet: { port: takeoff-inference } }',
    'readinessProbe.httpGet.port: has 17 characters, but may have 15 at most (got "takeoff-inference"). Leave out at least 2.',
  ],
  'a probe of an unknown scheme': [
    'readinessProbe: { httpGet: { port: 80, scheme: https } }',
    'readinessProbe.httpGet.scheme: must be one of HTTP, HTTPS (got "https"). Did you mean HTTPS?',
  ],
  'a probe that waits for less than nothing': [
    'startupProbe: { httpGet: { port: 80 }, periodSeconds: 0 }',
    'startupProbe.periodSeconds: must be at least 1 (got 0). Use 1 or more.',
  ],
  'a liveness probe that has to succeed twice': [
    'livenessProbe: { httpGet: { port: 80 }, successThreshold: 2 }',
    'livenessProbe.successThreshold: must be at most 1 (got 2). Use 1.',
  ],
  'a probe with a text as a number': [
    "livenessProbe: { httpGet: { port: 80 }, timeoutSeconds: '5' }",
    'livenessProbe.timeoutSeconds: must be of type integer (got "5"). Write it without quotes.',
  ],
  'a probe with an empty command': [
    'livenessProbe: { exec: { command: [] } }',
    'livenessProbe.exec.command: is empty. Say what to run.',
  ],
  'a probe with a text as its command': [
    'livenessProbe: { exec: { command: ls } }',
    'livenessProbe.exec.command: must be of type array (got "ls"). Write a list, such as [first, second].',
  ],
  'a variable that begins with a digit': [
    'env: [{ name: 1A, value: x }]',
    "env[0].name: must consist of letters, digits, '_', '-' and '.', and not start with a digit (got \"1A\"). Write a name like HF_TOKEN.",
  ],
  'a variable with a space in its name': [
    'env: [{ name: A B, value: x }]',
    "env[0].name: must consist of letters, digits, '_', '-' and '.', and not start with a digit (got \"A B\"). Write a name like HF_TOKEN.",
  ],
  'a variable without a name': ['env: [{ value: x }]', 'env[0].name: is required. Write name: ….'],
  'a variable that is a number': [
    'env: [{ name: A, value: 3 }]',
    'env[0].value: must be of type string (got 3). Write it in quotes.',
  ],
  'a variable from nowhere': [
    'env: [{ name: A, valueFrom: {} }]',
    'env[0].valueFrom: names no source. Write one of secretKeyRef, configMapKeyRef, fieldRef and resourceFieldRef.',
  ],
  'a variable from two sources': [
    'env: [{ name: A, valueFrom: { secretKeyRef: { name: a, key: b }, fieldRef: { fieldPath: metadata.name } } }]',
    'env[0].valueFrom: names 2 sources. Write one of secretKeyRef, configMapKeyRef, fieldRef and resourceFieldRef.',
  ],
  'a variable from a misspelt source': [
    'env: [{ name: A, valueFrom: { secretRef: { name: a, key: b } } }]',
    'env[0].valueFrom.secretRef: is not a field of this API. Known fields are configMapKeyRef, fieldRef, fileKeyRef, resourceFieldRef, secretKeyRef.',
  ],
  'a variable from a Secret without a key': [
    'env: [{ name: A, valueFrom: { secretKeyRef: { name: a } } }]',
    'env[0].valueFrom.secretKeyRef.key: is required. Write key: ….',
  ],
  'a variable with a value and a source': [
    'env: [{ name: A, value: x, valueFrom: { fieldRef: { fieldPath: metadata.name } } }]',
    'env[0]: value and valueFrom exclude each other: use one of them',
  ],
  'a variable twice': [
    'env: [{ name: A, value: x }, { name: A, value: y }]',
    'env[1]: appears twice (got {"name":"A"}). Leave one of them.',
  ],
  'variables as a map': [
    'env: { A: x }',
    'env: must be of type array (got {"A":"x"}). Write a list, such as [first, second].',
  ],
  'a port that is too large': [
    'ports: [{ containerPort: 99999 }]',
    'ports[0].containerPort: must be at most 65535 (got 99999). Use a number from 1 to 65535.',
  ],
  'a port without a number': [
    'ports: [{ name: http }]',
    'ports[0].containerPort: is required. Write containerPort: ….',
  ],
  'a port with capitals in its name': [
    'ports: [{ containerPort: 80, name: HTTP }]',
    'ports[0].name: must consist of lower-case letters, digits and single \'-\', with a letter among them (got "HTTP"). Write a name like http.',
  ],
  'a port with a name that is too long': [
    'ports: [{ containerPort: 80, name: the-port-of-the-model }]',
    'ports[0].name: has 21 characters, but may have 15 at most (got "the-port-of-the-model"). Leave out at least 6.',
  ],
  'two ports of one name': [
    'ports: [{ containerPort: 80, name: a }, { containerPort: 81, name: a }]',
    'ports[1].name: appears twice (got "a"). Choose another for one of them.',
  ],
  'a port of an unknown protocol': [
    'ports: [{ containerPort: 80, protocol: tcp }]',
    'ports[0].protocol: must be one of TCP, UDP, SCTP (got "tcp"). Did you mean TCP?',
  ],
});
