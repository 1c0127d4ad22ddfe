import type { FieldPath } from '../../../packages/kube/apply/applied-changes.ts';
import { CONFIG_HASH_ANNOTATION } from '../../../packages/api/constants.ts';

/** What people call the parts of a pod, by the field. No values: those are the stack's, and may be anything. */
const WORDS: Readonly<Record<string, string>> = {
  args: 'arguments',
  command: 'command',
  env: 'environment',
  envFrom: 'environment',
  image: 'image',
  imagePullPolicy: 'pull policy',
  imagePullSecrets: 'pull secrets',
  resources: 'resources',
  ports: 'ports',
  livenessProbe: 'probes',
  readinessProbe: 'probes',
  startupProbe: 'probes',
  securityContext: 'security context',
  volumeMounts: 'volumes',
  volumes: 'volumes',
  lifecycle: 'lifecycle',
  labels: 'labels',
  annotations: 'annotations',
  nodeSelector: 'placement',
  affinity: 'placement',
  tolerations: 'placement',
  topologySpreadConstraints: 'placement',
  terminationGracePeriodSeconds: 'grace period',
  serviceAccountName: 'service account',
};

const LISTS: readonly string[] = ['containers', 'initContainers'];

/** Why pods are replaced, from the paths in their template that change. */
export function reasonFor(changes: readonly FieldPath[]): string {
  const parts = [...new Set(changes.map(partOf))];
  const all = parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}` : (parts[0] ?? '');
  return `its ${all} change${parts.length === 1 && !all.endsWith('s') ? 's' : ''}`;
}

function partOf(path: FieldPath): string {
  const [section = '', field = '', element, inside] = path;
  if (section === 'metadata')
    return path[2] === CONFIG_HASH_ANNOTATION ? 'configuration' : (WORDS[field] ?? 'metadata');
  if (!LISTS.includes(field)) return WORDS[field] ?? 'pod';
  // A container that comes or goes, or another order of them.
  if (element === undefined || inside === undefined) return 'containers';
  return WORDS[inside] ?? 'containers';
}
