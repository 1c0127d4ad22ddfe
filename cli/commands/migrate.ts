import { GROUP, INFERENCE_STACK, OPERATOR_VERSION_LABEL, STORAGE_VERSION } from '../../packages/api/constants.ts';
import { requestProblem } from '../../packages/api/operator-version.ts';
import type { InferenceStack } from '../../packages/api/types.ts';
import { validate } from '../../packages/api/validate.ts';
import { formatProblem, refuse } from '../../packages/lib/problem.ts';
import { definedOnly } from '../../packages/lib/values.ts';
import { writeYaml } from '../../packages/lib/write-yaml.ts';
import type { Io } from '../io.ts';
import { convertChart044 } from '../migrate/chart-0-4-4.ts';
import { convertChart182 } from '../migrate/chart-1-8-2.ts';
import { type Chart, recognise } from '../migrate/charts.ts';
import { readValues } from '../migrate/read-values.ts';
import { withoutSecrets } from '../migrate/without-secrets.ts';

/** The options of `fleet migrate`. */
export interface MigrateOptions {
  readonly values: readonly string[];
  readonly chart?: Chart | undefined;
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly operatorVersion: string;
}

export async function run(
  { values: files, chart, name, namespace, operatorVersion }: MigrateOptions,
  io: Io,
): Promise<number> {
  const values = await readValues(files, io);
  const source = files.map((file) => (file === '-' ? 'standard input' : file)).join(', ');
  const version = chart ?? recognise(values, source);
  const { spec, notices } = version === '0.4.4' ? convertChart044(values, name) : convertChart182(values);
  const stack: InferenceStack = {
    apiVersion: `${GROUP}/${STORAGE_VERSION}`,
    kind: INFERENCE_STACK.kind,
    metadata: { ...definedOnly({ name, namespace }), labels: { [OPERATOR_VERSION_LABEL]: operatorVersion } },
    spec,
  };
  const unserved = requestProblem(operatorVersion);
  const validated = validate(stack);
  refuse([
    ...(unserved === undefined ? [] : [{ ...unserved, path: '--operator-version' }]),
    ...(validated.valid ? [] : validated.problems.map(withoutSecrets)),
  ]);
  for (const notice of notices) io.err(`note: ${formatProblem({ object: source, ...notice })}\n`);
  io.out(writeYaml(stack));
  return 0;
}
