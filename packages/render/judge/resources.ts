import { objectAt } from '../../lib/json.ts';
import type { Problem } from '../../lib/problem.ts';
import { parseQuantity } from '../../kube/quantity.ts';
import { keyProblems } from '../../api/text-forms.ts';

/** What is wrong with the amounts that a container asks for. */
export function resourceProblems(resources: unknown, path: string): Problem[] {
  const { requests, limits } = { requests: objectAt(resources, 'requests'), limits: objectAt(resources, 'limits') };
  const amounts = [...amountProblems(requests, `${path}.requests`), ...amountProblems(limits, `${path}.limits`)];
  return amounts.length > 0 ? amounts : contradictions(requests, limits, path);
}

function amountProblems(amounts: Readonly<Record<string, unknown>>, path: string): Problem[] {
  return Object.entries(amounts).flatMap(([name, value]) => {
    if (value === null) return [];
    const where = `${path}.${name}`;
    const key = keyProblems(name, where);
    if (key.length > 0) return key;
    const amount = parseQuantity(value);
    if (amount === undefined) return [{ path: where, value, message: 'is not an amount', remedy: amountRemedy(value) }];
    if (amount < 0)
      return [{ path: where, value, message: 'is less than nothing', remedy: 'Leave it out, or write more.' }];
    if (isExtended(name) && !Number.isInteger(amount)) {
      return [{ path: where, value, message: 'must be a whole number', remedy: 'Devices are given out whole.' }];
    }
    return memoryProblems(name, value, amount, where);
  });
}

/** `512m` of memory is half a byte, which somebody who writes it does not mean. */
function memoryProblems(name: string, value: unknown, amount: number, path: string): Problem[] {
  if (!['memory', 'ephemeral-storage'].includes(name) || amount === 0 || amount >= 1024) return [];
  const remedy = `Write a unit: ${String(value).replace(/[a-zA-Z]*$/, '')}Mi or ${String(value).replace(/[a-zA-Z]*$/, '')}Gi.`;
  return [{ path, value, message: `is ${amount < 1 ? 'less than a byte' : `${amount} bytes`}`, remedy }];
}

function amountRemedy(value: unknown): string {
  const [, number, unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*([kmgtKMGT])(?:i?[bB]|i)?\s*$/.exec(String(value)) ?? [];
  if (number === undefined) return 'Write it like 500m, 2, 512Mi or 8Gi.';
  return `Did you mean ${number}${unit.toUpperCase()}i?`;
}

/** Devices, such as GPUs: a limit is what is asked for. */
function isExtended(name: string): boolean {
  return name.includes('/') && !name.startsWith('kubernetes.io/');
}

function contradictions(
  requests: Readonly<Record<string, unknown>>,
  limits: Readonly<Record<string, unknown>>,
  path: string,
): Problem[] {
  return Object.entries(requests).flatMap(([name, value]) => {
    const where = `${path}.requests.${name}`;
    const [asked, limit] = [parseQuantity(value), parseQuantity(limits[name])];
    if (asked === undefined) return [];
    if (isExtended(name) && limit !== asked) {
      const message =
        limit === undefined
          ? 'needs a limit of the same number'
          : `must be as much as its limit, ${String(limits[name])}`;
      return [{ path: where, value, message, remedy: 'Write it under limits alone.' }];
    }
    if (limit === undefined || asked <= limit) return [];
    const message = `is more than its limit, ${String(limits[name])}`;
    return [{ path: where, value, message, remedy: 'Ask for less, or raise the limit.' }];
  });
}
