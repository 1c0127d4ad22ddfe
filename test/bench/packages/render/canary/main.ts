/** Measures what a canary gets of the requests for the alias that it shares, by its weight. */
import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { checkout } from '../../../../../packages/lib/checkout.ts';
import { measure, type Case, type Figures } from './measure.ts';
import { isWithin, page } from './page.ts';

const PAGE = join(checkout, 'docs', 'benchmarks', 'canary.md');

const EQUAL = [10, 10] as const;
const SLOWER = [10, 30] as const;
const CASES: readonly Case[] = [
  { weights: [90, 10], milliseconds: EQUAL },
  { weights: [50, 50], milliseconds: EQUAL },
  { weights: [0, 100], milliseconds: EQUAL },
  { weights: [99, 1], milliseconds: EQUAL },
  { weights: [90, 10], milliseconds: SLOWER },
  { weights: [50, 50], milliseconds: SLOWER },
];

const { values } = parseArgs({ options: { requests: { type: 'string', default: '2000' } } });
const requests = Number(values.requests);
const figures: Figures[] = [];
for (const each of CASES) {
  const measured = await measure(each, requests);
  figures.push(measured);
  console.log(JSON.stringify(measured));
}
const machine = `${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`;
const text = page({ figures, requests, machine });
await writeFile(PAGE, await format(text, { ...(await resolveConfig(PAGE)), parser: 'markdown' }));
console.log(text);
process.exitCode = isWithin(figures) ? 0 : 1;
