import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { main } from '../../../../cli/main.ts';
import { fleetProgram } from '../../../../cli/program/program.ts';
import { recordingIo } from '../../../support/people/recording-io.ts';

/** The words of every command, e.g. `catalog push`. */
function everyCommand(): readonly (readonly string[])[] {
  const below = (command: CommandUnknownOpts, words: readonly string[]): (readonly string[])[] => [
    words,
    ...command.commands.flatMap((inner) => below(inner, [...words, inner.name()])),
  ];
  const io = recordingIo();
  return below(fleetProgram({ io, passedOn: [], finish: () => Promise.resolve() }), []);
}

async function printed(...args: readonly string[]): Promise<string> {
  const io = recordingIo();
  assert.equal(await main(args, io), 0, args.join(' '));
  assert.equal(io.stderr(), '');
  return io.stdout();
}

describe('the commands of fleet', () => {
  it('are all there', () => {
    assert.deepEqual(
      everyCommand().map((words) => words.join(' ')),
      [
        ...['', 'up', 'preview', 'down', 'state', 'state unlock', 'state forget', 'env'],
        ...['render', 'explain', 'migrate'],
        ...['status', 'audit', 'impact', 'api-versions'],
        ...['bundle', 'bundle write', 'bundle push'],
        ...['catalog', 'catalog render', 'catalog graph', 'catalog show', 'catalog add', 'catalog promote'],
        ...['catalog withdraw', 'catalog check', 'catalog push'],
        ...['release', 'manifests', 'mirror', 'preview-comment'],
        ...['help', 'completion', 'version'],
      ],
    );
  });

  it('show their usage on standard output, by --help and by help, and it fits a screen', async () => {
    for (const words of everyCommand()) {
      const text = await printed(...words, '--help');
      assert.ok(text.startsWith(`Usage: ${['fleet', ...words].join(' ')} `), text);
      assert.equal(await printed('help', ...words), text);
      const lines = text.split('\n');
      assert.ok(lines.length <= 30, text);
      for (const line of lines) assert.ok(line.length <= 110, line);
    }
  });

  it('say in a sentence what they do', async () => {
    const summaries = [...(await printed()).matchAll(/^ {2}[a-z][\w-]* +(\S.*(?:\n {4,}\S.*)*)$/gm)].map(
      ([, text]) => text,
    );
    // More than 21 nobody takes in: fold a new one into one that is there.
    assert.ok(summaries.length >= 17 && summaries.length <= 21, `${summaries.length} commands`);
    for (const summary of summaries) assert.match(summary ?? '', /^[A-Z][^]*[.]$/);
  });

  it('that are groups list what is in them, with exit code 2 since nothing was done', async () => {
    const io = recordingIo();
    assert.equal(await main(['catalog'], io), 2);
    assert.match(
      io.stderr(),
      /^Usage: fleet catalog <command> \[options\]\n[^]*\n {2}push +Build and push the catalog image\.\n/,
    );
  });

  it('are completed by bash, as far as they are typed', async () => {
    const script = await printed('completion', 'bash');
    const complete = (...words: readonly string[]): readonly string[] => {
      const line = `${script}\nCOMP_WORDS=(fleet ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _fleet; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return execFileSync('bash', ['--norc', '-c', line], { encoding: 'utf8' }).trim().split('\n');
    };
    assert.deepEqual(complete('pre'), ['preview', 'preview-comment']);
    assert.deepEqual(complete('catalog', 'p'), ['promote', 'push']);
    assert.deepEqual(complete('catalog', 'push', '--t'), ['--tag', '--template']);
    assert.deepEqual(complete('audit', '-e', 'dev', '--s'), ['--stage']);
    assert.match(await printed('completion', 'zsh'), /^autoload -U bashcompinit && bashcompinit\n/);
  });
});
