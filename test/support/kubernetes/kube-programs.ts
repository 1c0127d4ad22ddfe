import { dirname, join } from 'node:path';
import type { ControlPlane } from './control-plane.ts';
import { Program } from '../machine/program.ts';

/** Runs some of Kubernetes' own controllers, by their names such as `replicaset-controller`. */
export async function startControllers(plane: ControlPlane, names: readonly string[]): Promise<Program> {
  return start(plane, 'kube-controller-manager', [`--controllers=${names.join()}`]);
}

export async function startScheduler(plane: ControlPlane): Promise<Program> {
  return start(plane, 'kube-scheduler', []);
}

async function start(plane: ControlPlane, name: string, args: readonly string[]): Promise<Program> {
  const kubeconfig = await plane.kubeconfig();
  const common = [`--kubeconfig=${kubeconfig}`, '--leader-elect=false', '--secure-port=0'];
  return new Program(name, [...common, ...args], join(dirname(kubeconfig), `${name}.log`));
}
