/**
 * Loaded into the operator's process: writes down how long its event loop was held up at most. CPU time of the thread is what the
 * operator is to blame for; the time on the clock also counts what other processes took.
 */
import { writeFileSync } from 'node:fs';

const INTERVAL_MS = 5;
const file = process.env['LOOP_PROBE_FILE'] ?? '';
const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

let last = { cpu: cpuMs(), clock: performance.now() };
let longest = { cpuMs: 0, clockMs: 0 };
// What loading the program takes is nobody's spec.
const SETTLED_MS = 3_000;

setInterval(() => {
  const now = { cpu: cpuMs(), clock: performance.now() };
  const held = { cpuMs: now.cpu - last.cpu, clockMs: now.clock - last.clock - INTERVAL_MS };
  last = now;
  if (now.clock < SETTLED_MS) return;
  if (held.cpuMs <= longest.cpuMs && held.clockMs <= longest.clockMs) return;
  longest = { cpuMs: Math.max(held.cpuMs, longest.cpuMs), clockMs: Math.max(held.clockMs, longest.clockMs) };
  writeFileSync(file, JSON.stringify({ ...longest, at: new Date().toISOString() }));
}, INTERVAL_MS).unref();
