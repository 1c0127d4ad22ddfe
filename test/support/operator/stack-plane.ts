import type { KubernetesObject } from '../../../packages/kube/object.ts';
import { ControlPlane } from '../kubernetes/control-plane.ts';
import { prepareLeases } from './operator.ts';
import { createNamespace, installCrd, stackCrd } from './stack-api.ts';

/** A control plane that is ready for operators: the CRD, a namespace for stacks, and the Leases of the majors. */
export async function startPlane(majors: readonly number[] = [1], crd?: KubernetesObject): Promise<ControlPlane> {
  const plane = await ControlPlane.start();
  try {
    await installCrd(plane.client, crd ?? (await stackCrd()));
    await createNamespace(plane.client, 'team-a');
    await prepareLeases(plane.client, majors);
  } catch (error) {
    await plane.stop();
    throw error;
  }
  return plane;
}
