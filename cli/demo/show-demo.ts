import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describeEmbeddedCluster } from '../../cluster/embedded-cluster.ts';
import { INFERENCE_STACK, OPERATOR_VERSION_LABEL, USER_AGENT } from '../../packages/api/constants.ts';
import { operatorNames } from '../../packages/api/operator-names.ts';
import { reportedBundle } from '../../components/olm/reported-bundle.ts';
import { EXTENSIONS } from '../../components/olm/resource-types.ts';
import { parseOperatorRequest } from '../../packages/api/operator-version.ts';
import type { InferenceStackStatus } from '../../packages/api/status.ts';
import { ProblemsError } from '../../packages/lib/problem.ts';
import { stackType } from '../../packages/api/kinds.ts';
import { Client } from '../../packages/kube/client/client.ts';
import { loadConnection } from '../../packages/kube/connect/kubeconfig.ts';
import type { KubernetesObject, ResourceType } from '../../packages/kube/object.ts';
import type { Io } from '../io.ts';
import { describeAnswer, readAnswer, type Answer } from './answer.ts';
import { demoStack } from './demo-stack.ts';
import { chooseDemo, type Question } from './demos.ts';

const STACKS = stackType(INFERENCE_STACK);
const SERVICES: ResourceType = { group: '', version: 'v1', kind: 'Service', plural: 'services', namespaced: true };

/** Long enough for a first pull of the images on a busy machine. */
const READY_TIMEOUT_MS = 180_000;
const POLL_MS = 500;

/**
 * Much longer than the answer takes. A connection to a Service that the node's proxy did not know yet may be lost without an error, and
 * would be tried again and again for two minutes.
 */
const ANSWER_TIMEOUT_MS = 20_000;

/** Applies an example and asks it something: the proof that everything works together. */
export async function showDemo(io: Io, checkout: string, outputs: unknown): Promise<void> {
  const { example, images, question, remark } = chooseDemo(outputs);
  if (remark !== undefined) io.err(`\n${remark}\n`);
  const { kubeconfig, context } = describeEmbeddedCluster(io.env);
  const connection = await loadConnection({ kubeconfig, context });
  const client = new Client(connection, { userAgent: USER_AGENT });
  try {
    const stack = { ...demoStack(await io.read(join(checkout, example)), example, images) };
    await client.apply(STACKS, stack, { fieldManager: 'fleet-up', force: true });
    await ready(client, stack);
    const { name, namespace = 'default' } = stack.metadata;
    const service = await client.get(SERVICES, { namespace, name: `${name}-inference-stack-gateway` });
    const { clusterIP } = service['spec'] as { clusterIP: string };
    const url = `http://${clusterIP}/v1/chat/completions`;
    io.out(`\nInferenceStack ${namespace}/${name} is Ready.\n`);
    io.out(`  curl ${url} --json '${JSON.stringify(question)}'\n`);
    io.out(`${describeAnswer(question.model, await ask(url, question))}\n`);
    io.out('\nFor kubectl, pulumi and fleet in this shell: eval "$(make env)"\n');
  } finally {
    client.close();
  }
}

async function ready(client: Client, stack: KubernetesObject): Promise<void> {
  const { name, namespace } = stack.metadata;
  const deadline = Date.now() + READY_TIMEOUT_MS;
  for (;;) {
    const found = await client.get(STACKS, { name, namespace });
    const status = (found['status'] ?? {}) as InferenceStackStatus;
    const condition = status.conditions?.find(({ type }) => type === 'Ready');
    const current = status.observedGeneration === found.metadata.generation;
    // Right after an upgrade, the status is still that of the outgoing operator.
    const served = status.operatorVersion === (await installedVersion(client, found));
    if (condition?.status === 'True' && current && served) return;
    if (Date.now() > deadline) {
      const message = condition?.message ?? 'no operator has reported on it';
      const remedy = '`make status` shows more.';
      throw new ProblemsError([{ object: `InferenceStack ${name}`, path: 'Ready', message, remedy }]);
    }
    await setTimeout(POLL_MS);
  }
}

/** The version of the operator that OLM has installed for a stack. */
async function installedVersion(client: Client, { metadata }: KubernetesObject): Promise<string | undefined> {
  const request = parseOperatorRequest(metadata.labels?.[OPERATOR_VERSION_LABEL] ?? '');
  const extension = await client.get(EXTENSIONS, { name: operatorNames(request?.major ?? 0).operator });
  return reportedBundle(extension)?.version;
}

/** An engine is known to the gateway a moment after its pod is ready; until then the gateway has no such model. */
async function ask(url: string, question: Question): Promise<Answer> {
  const request = { method: 'POST', body: JSON.stringify(question), headers: { 'content-type': 'application/json' } };
  const deadline = Date.now() + READY_TIMEOUT_MS;
  for (;;) {
    const asked = Date.now();
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    const answer = await fetch(url, { ...request, signal }).catch((error: unknown) => error);
    if (answer instanceof Response && answer.ok) return readAnswer(await answer.json(), (Date.now() - asked) / 1000);
    if (Date.now() > deadline) {
      const reason = answer instanceof Response ? await answer.text() : String(answer);
      throw new ProblemsError([{ object: url, path: '', message: `does not answer: ${reason}` }]);
    }
    await setTimeout(POLL_MS);
  }
}
