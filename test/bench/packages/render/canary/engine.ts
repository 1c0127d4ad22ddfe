/** An engine in a process of its own, so that it does not wait for those who measure: `node engine.ts <name> <milliseconds>`. */
import { setTimeout } from 'node:timers/promises';
import { StandInEngine } from '../../../../support/serving/stand-in-engine.ts';

const [name = '', milliseconds = ''] = process.argv.slice(2);
const engine = new StandInEngine(name, () => setTimeout(Number(milliseconds)));
await engine.start();
process.on('disconnect', () => process.exit());
process.send?.(engine.address);
