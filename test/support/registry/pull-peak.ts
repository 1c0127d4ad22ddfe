/** Pulls an image from a registry on loopback, and prints the peak memory of this process in MiB. */
import { pullFiles } from '../../../components/registry/image-files.ts';
import { RegistryClient } from '../../../components/registry/registry-client.ts';
import { UNPACK_LIMITS } from '../../../components/registry/unpack-budget.ts';

const client = new RegistryClient({ plainHttp: true, credentials: () => Promise.resolve(undefined) });
const image = { host: process.argv[2] ?? '', path: 'team/image', tag: '1' };
await pullFiles(client, image, ['manifests/'], UNPACK_LIMITS);
client.close();
process.stdout.write(`${String(process.resourceUsage().maxRSS / 1024)}\n`);
