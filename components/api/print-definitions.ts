import { readDefinitions } from './definitions.ts';

// For `kubectl apply -f -`. The CRDs are of the API group that this process is told, which the committed files may not be.
const items = await readDefinitions();
process.stdout.write(`${JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 2)}\n`);
