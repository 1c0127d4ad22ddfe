import { keepNode, type NodeView } from '../../packages/kube/placement/node-view.ts';
import { NODES, PODS } from '../../packages/kube/resource-types.ts';
import { PodEvents } from '../../packages/kube/pods/pod-events.ts';
import { READY_TO_START, type PodQuestion } from '../../packages/kube/pods/pod-question.ts';
import type { Problem } from '../../packages/lib/problem.ts';
import { pathOf, type Client } from '../../packages/kube/client/client.ts';
import { silentLogger } from '../../packages/kube/process/log.ts';
import { definedOnly } from '../../packages/lib/values.ts';
import { lastLines, LINES } from './last-lines.ts';
import { asksFor, whyNoNode } from './no-node.ts';
import type { Pod, Question, Symptom } from './symptom.ts';

/** The part of a client that waits need. */
export type Cluster = Pick<Client, 'listAll' | 'listEach' | 'raw'>;

/** With tailLines, the kubelet counts the limit from the first of these lines; nobody reads more than this. */
const LOG_BYTES = 16 * 1024;

/** A symptom in words for people, with the cluster's answer to its question; undefined if it turns out to be none. */
export async function explain(symptom: Symptom, cluster: Cluster, now: number): Promise<Problem | undefined> {
  const { object, remedy, question } = symptom;
  // The answer is optional: without the right to ask, what is known is reported.
  const answer = question === undefined ? undefined : await answerTo(question, cluster, now).catch(() => undefined);
  const message = answer === undefined ? symptom.message : joined(symptom, answer);
  if (message === undefined) return undefined;
  return definedOnly({ object, path: '', message, remedy });
}

/** What is known comes first, unless the answer says the same better: the scheduler only counts nodes. */
function joined({ message, question }: Symptom, answer: string): string {
  if (question?.about === 'log') return `${message ?? ''}; its last lines: ${answer}`;
  if (question?.about === 'nodes') return `Pod ${question.pod.metadata.name} cannot be scheduled: ${answer}`;
  return message === undefined ? answer : `${message}; ${answer}`;
}

async function answerTo(question: Question, cluster: Cluster, now: number): Promise<string | undefined> {
  switch (question.about) {
    case 'nodes':
      return placement(question.pod, cluster);
    case 'log':
      return log(question.pod, question.container, question.previous, cluster);
    case 'events':
      return events(question.pod, cluster, now);
    case 'pull':
      return stillPulling(question.pod, question.image, now);
  }
}

async function placement(pod: Pod, cluster: Cluster): Promise<string | undefined> {
  const nodes: NodeView[] = [];
  await cluster.listEach(NODES, {}, (node) => void nodes.push(keepNode(node)));
  const why = whyNoNode(pod.spec, nodes);
  if (why !== undefined) return why;
  const { message = '' } = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled') ?? {};
  return message.includes('Insufficient') ? `${asksFor(pod.spec)}, which no node that matches has free` : undefined;
}

async function log(pod: Pod, container: string, previous: boolean, cluster: Cluster): Promise<string | undefined> {
  const query = new URLSearchParams({
    container,
    previous: String(previous),
    tailLines: String(LINES),
    limitBytes: String(LOG_BYTES),
  });
  const path = pathOf(PODS, pod.metadata.namespace, pod.metadata.name, 'log');
  const text = await cluster.raw(`${path}?${query.toString()}`);
  const lines = typeof text === 'string' ? lastLines(text) : '';
  return lines === '' ? undefined : lines;
}

function stillPulling({ metadata, status }: Pod, image: string, now: number): string {
  const since = status?.conditions?.find(({ type }) => type === READY_TO_START)?.lastTransitionTime;
  const seconds = Math.round((now - Date.parse(since ?? '')) / 1000);
  return `Pod ${metadata.name} is still pulling ${image}${seconds > 0 ? `, for ${seconds} s` : ''}`;
}

async function events(pod: PodQuestion, cluster: Cluster, now: number): Promise<string | undefined> {
  const answer = await new PodEvents(cluster, silentLogger).answer(pod, now);
  return answer === undefined ? undefined : `Pod ${pod.name} ${pod.problem}: ${answer}`;
}
