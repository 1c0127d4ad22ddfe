#!/usr/bin/env node
// Plain JavaScript that old versions of Node can read, so that they get a sentence instead of a syntax error.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`fleet needs Node 22.18 or newer, because it runs TypeScript directly; this is ${process.version}.`);
  console.error('In a checkout, `eval "$(make env)"` puts a suitable one on PATH.');
  process.exit(1);
}
const { main } = await import(new URL('./main.ts', import.meta.url).href);
process.exitCode = await main(process.argv.slice(2));
