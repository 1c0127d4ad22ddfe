import { join } from 'node:path';
import { describeEmbeddedCluster } from '../../cluster/embedded-cluster.ts';
import { environmentCommand } from '../environment/environment-command.ts';

/** The variables that \`pulumi\` needs when nobody chose a backend. */
const PULUMI = ['PULUMI_BACKEND_URL', 'PULUMI_CONFIG_PASSPHRASE', 'DOCKER_CONFIG'];

export const run = environmentCommand('unused', ({ io, checkout, environment, file, variables }) => {
  const { exists, kubeconfig } = describeEmbeddedCluster(io.env);
  if (file.embedded && !exists) {
    io.err('There is no embedded cluster yet, so kubectl follows your own kubeconfig. `make up` starts one.\n');
  }
  const wanted: Record<string, string | undefined> = {
    KUBECONFIG: file.embedded && exists ? kubeconfig : undefined,
    PULUMI_STACK: environment,
    ...Object.fromEntries(PULUMI.map((name) => [name, variables()[name]])),
  };
  for (const [name, value] of Object.entries(wanted)) {
    if (value !== undefined && value !== io.env[name]) io.out(`export ${name}=${quote(value)}\n`);
  }
  const directories = [join(checkout, '.tools', 'bin'), join(checkout, 'node_modules', '.bin')];
  io.out(`export PATH=${directories.map(quote).join(':')}:"$PATH"\n`);
  return Promise.resolve();
});

/** For any POSIX shell. */
function quote(value: string): string {
  return `'${value.replaceAll("'", "'\\''")}'`;
}
