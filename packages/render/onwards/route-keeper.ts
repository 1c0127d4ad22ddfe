import type { Image } from '../../api/types.ts';
import { imageReference } from '../deployment.ts';
import { hardenedContainer } from '../hardened.ts';
import type { OpenObject } from '../../lib/json.ts';

/** Where the ConfigMap with the table is, and the copy that Onwards reads. */
const SOURCE = '/table/routes.json';
export const ROUTES = '/routes/routes.json';

/** Only the shell, `cat` and `sleep`: every image that has a shell has them. Told to stop, it stops at once. */
const SCRIPT = `trap 'exit 0' TERM INT
old=
while :; do
  new=$(cat ${SOURCE}) && [ "$new" != "$old" ] && printf '%s\\n' "$new" > ${ROUTES} && old=$new
  sleep 1 & wait $!
done`;

/**
 * The container that carries changes of the table to a running gateway. Onwards watches its file, but the kubelet puts another file in
 * its place, which Onwards sees once and never again. So the table is written into one file that stays. While it is half written, Onwards
 * goes on with what it has.
 */
export function routeKeeper(image: Image): OpenObject {
  return {
    name: 'routes',
    image: imageReference(image, ''),
    imagePullPolicy: image.pullPolicy,
    restartPolicy: 'Always',
    command: ['/bin/sh', '-c', SCRIPT],
    securityContext: hardenedContainer(undefined),
    // With the largest table it needs a fifth of this. A quota may refuse pods that have no limit, and a stack cannot set this one.
    resources: {
      requests: { cpu: '5m', memory: '8Mi', 'ephemeral-storage': '8Mi' },
      limits: { cpu: '100m', memory: '32Mi', 'ephemeral-storage': '32Mi' },
    },
    startupProbe: {
      exec: { command: ['/bin/sh', '-c', `[ -s ${ROUTES} ]`] },
      periodSeconds: 1,
      failureThreshold: 60,
    },
    volumeMounts: [
      { name: 'table', mountPath: '/table', readOnly: true },
      { name: 'routes', mountPath: '/routes' },
    ],
  };
}

/** The table and its copy, as volumes of the gateway's pod. */
export function routeVolumes(configMap: string): OpenObject[] {
  return [
    { name: 'table', configMap: { name: configMap } },
    { name: 'routes', emptyDir: { medium: 'Memory', sizeLimit: '4Mi' } },
  ];
}
