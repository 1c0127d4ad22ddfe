import { condition } from '../../packages/kube/conditions.ts';
import type { InferenceStackStatus, WorkloadStatus } from '../../packages/api/status.ts';
import { PHASES_WORST_FIRST } from '../../packages/api/phases.ts';
import { describeObject, type KubernetesObject } from '../../packages/kube/object.ts';
import { unmet } from './fields.ts';

/** How many lines a stack gets before the rest is counted. */
const SHOWN = 5;

/** How much of a message is left when the operator has cut out its middle to fit one line. */
const BEGINNING = 40;

const WORST_FIRST: readonly WorkloadStatus['phase'][] = PHASES_WORST_FIRST;

/** The gateway or an application, with what it says of itself. */
interface Part {
  readonly name: string;
  readonly phase: NonNullable<WorkloadStatus['phase']>;
  readonly message: string;
}

/** Why a stack is not ready. Its condition has room for one line, so each part gives its own reason. */
export function stackWarnings(stack: KubernetesObject): readonly string[] {
  const ready = unmet([stack], ['Ready']);
  if (ready.length === 0) return [];
  const where = describeObject(stack);
  const parts = unready(stack);
  const told = parts.map((part) => `${where}: ${described(part)}`);
  const lines = isTold(stack, parts) ? told : [...ready, ...told];
  const rest = lines.length - SHOWN;
  return rest > 0 ? [...lines.slice(0, SHOWN), `${where}: and ${rest} more`] : lines;
}

function unready(stack: KubernetesObject): readonly Part[] {
  // When a spec was not accepted, the status keeps what ran before, which explains nothing.
  if (condition(stack, 'Accepted')?.status !== 'True') return [];
  const { gateway = {}, applications = {} } = (stack['status'] ?? {}) as InferenceStackStatus;
  const all = [['gateway', gateway] as const, ...named(applications)];
  return all
    .map(([name, { phase = 'Progressing', message = '' }]): Part => ({ name, phase, message }))
    .filter(({ phase }) => WORST_FIRST.includes(phase))
    .sort((a, b) => WORST_FIRST.indexOf(a.phase) - WORST_FIRST.indexOf(b.phase));
}

function named(applications: Readonly<Record<string, WorkloadStatus>>): (readonly [string, WorkloadStatus])[] {
  return Object.entries(applications).map(([name, status]) => [`application ${name}`, status] as const);
}

/** Whether the parts cover what the stack says. Only the stack knows of refused objects and of GPUs for future pods. */
function isTold(stack: KubernetesObject, parts: readonly Part[]): boolean {
  const summary = condition(stack, 'Ready')?.message ?? '';
  return parts.some(
    ({ message }) => message !== '' && summary.includes(message.replace(/\.$/, '').slice(0, BEGINNING)),
  );
}

function described({ name, phase, message }: Part): string {
  if (message === '') return `${name}: ${phase}`;
  // Some messages name the application themselves.
  const itself = message.toLowerCase().startsWith(`${name.toLowerCase()} `);
  return itself ? `${phase}: ${message}` : `${name}: ${phase}: ${message}`;
}
