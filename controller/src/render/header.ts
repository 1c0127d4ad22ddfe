import semver from 'semver';
import { GROUP, STACK_KINDS, VERSIONS } from '../../../packages/api/constants.ts';
import { isObject, objectAt, valueAt } from '../../../packages/lib/json.ts';
import { refuse, type Problem } from '../../../packages/lib/problem.ts';
import type { Capabilities } from '../../../packages/render/model.ts';

/** The contracts that this program speaks. A number is never given another meaning: fields are added, none changes. */
const CONTRACTS: readonly unknown[] = [1];

/** What holds for all stacks that follow. */
export interface Header {
  readonly capabilities: Capabilities;
  /** Full version that the program was released as, if the asker knows it: the program itself does not. */
  readonly operatorVersion: string | undefined;
}

/** Reads the first line. Throws all problems that it has. */
export function readHeader(value: unknown): Header {
  const contract = valueAt(value, 'contract');
  if (!CONTRACTS.includes(contract)) {
    const remedy = `Ask for contract ${CONTRACTS.join(' or ')}, or ask a version that speaks the other one.`;
    refuse([{ path: 'contract', value: contract, message: 'is not spoken by this version', remedy }]);
  }
  const problems: Problem[] = [];
  const given = valueAt(value, 'capabilities') ?? {};
  if (!isObject(given)) problems.push({ path: 'capabilities', value: given, message: 'must be of type object' });
  const capability = (name: keyof Capabilities): boolean => {
    const has = objectAt(given)[name] ?? false;
    if (typeof has !== 'boolean') {
      problems.push({ path: `capabilities.${name}`, value: has, message: 'must be true or false' });
    }
    return has === true;
  };
  const capabilities = {
    keda: capability('keda'),
    serviceMonitor: capability('serviceMonitor'),
    assignsUserIds: capability('assignsUserIds'),
  };
  const version = valueAt(value, 'operatorVersion') ?? undefined;
  const operatorVersion = typeof version === 'string' ? (semver.valid(version) ?? undefined) : undefined;
  if (version !== undefined && operatorVersion === undefined) {
    problems.push({ path: 'operatorVersion', value: version, message: 'must be a semantic version' });
  }
  refuse(problems);
  return { capabilities, operatorVersion };
}

/** The first line of the answer: who answers, for which API, and why nothing follows if the question was refused. */
export function headerAnswer(operatorVersion: string | undefined, problems: readonly Problem[]): object {
  return {
    contract: 1,
    contracts: CONTRACTS,
    operatorVersion: operatorVersion ?? null,
    api: { group: GROUP, versions: VERSIONS, kinds: STACK_KINDS },
    problems,
  };
}
