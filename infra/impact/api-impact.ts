import { everyStack, type ReadClient } from '../../components/impact/upgrade/question.ts';
import { validate } from '../../packages/api/validate.ts';
import { objectKey } from '../../packages/kube/object.ts';
import { messageOf } from '../../packages/lib/error.ts';
import { names } from '../../packages/lib/message.ts';
import { formatProblem, type Problem } from '../../packages/lib/problem.ts';
import { counted, NAMED } from './platform-impact.ts';

/** What `apiImpact` finds out, or why it cannot. */
export async function describeApiImpact(client: ReadClient): Promise<readonly string[]> {
  return apiImpact(client).catch((error: unknown) => [`Impact of the API: not known. ${messageOf(error)}`]);
}

/** Which stored stacks the API that comes would not take as they are. Their authors could change nothing before they correct that. */
async function apiImpact(client: ReadClient): Promise<readonly string[]> {
  const refused: { readonly key: string; readonly why: string }[] = [];
  const unread: string[] = [];
  let count = 0;
  for await (const stack of everyStack(client, (kind) => unread.push(kind))) {
    count += 1;
    const checked = validate(stack);
    if (checked.valid) continue;
    const [first] = checked.problems;
    refused.push({ key: objectKey(stack.metadata), why: first === undefined ? '' : whyInvalid(first) });
  }
  const which = refused.length === 0 ? '' : ` (${names(refused, NAMED, ({ why }) => why)})`;
  return [
    `Impact of the API: of ${counted({ length: count })}, ${String(refused.length)} would no longer be valid as stored${which}.`,
    ...unread.map(
      (kind) => `Impact of the API: you may not list ${kind} in all namespaces, so nothing is known of them.`,
    ),
  ];
}

/** Without the value: what a stack says stays on this machine. */
function whyInvalid({ object, path, message }: Problem): string {
  return formatProblem({ path, message, ...(object === undefined ? {} : { object }) });
}
