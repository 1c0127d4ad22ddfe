import { FIELD_MANAGER } from '../../../controller/src/api/constants.ts';
import { Client } from '../../../controller/src/runtime/client.ts';
import { startPlane } from '../../support/stack-plane.ts';
import { createNamespace, ownedType } from '../../support/stack-api.ts';
import { CONCURRENCY, inParallel, NAMESPACE, renderedObjects } from './workload.ts';

/** The limit: seconds that a client takes which only applies the same objects, as many at a time. */
export async function measureBareClient(stacks: number): Promise<{ seconds: number; objectsPerStack: number }> {
  const plane = await startPlane();
  const client = new Client(plane.connection, { maxConnections: CONCURRENCY });
  try {
    await createNamespace(client, NAMESPACE);
    const started = performance.now();
    await inParallel(stacks, async (index) => {
      for (const object of renderedObjects(index)) {
        await client.apply(ownedType(object.kind), object, { fieldManager: FIELD_MANAGER });
      }
    });
    return { seconds: (performance.now() - started) / 1000, objectsPerStack: renderedObjects(0).length };
  } finally {
    client.close();
    await plane.stop();
  }
}
