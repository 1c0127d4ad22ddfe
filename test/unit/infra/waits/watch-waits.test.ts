import * as pulumi from '@pulumi/pulumi';
import assert from 'node:assert/strict';
import type { Target } from '../../../../components/waits/target.ts';
import { follow } from '../../../../infra/waits/watch-waits.ts';
import { runProgram, valueOf } from '../../../support/pulumi/pulumi-program.ts';

function target(name: string): Target {
  return { name, symptoms: () => Promise.resolve([]) };
}

/** An output that is known when a test says so. */
function later(): { readonly output: pulumi.Output<unknown>; readonly now: () => Promise<void> } {
  let resolve: (value: boolean) => void = () => undefined;
  const output = pulumi.output(new Promise<boolean>((done) => (resolve = done)));
  const now = async (): Promise<void> => {
    resolve(true);
    await valueOf(output);
  };
  return { output, now };
}

describe('what the program waits for', () => {
  it('is looked at from the beginning to the end of its wait, and then nothing is', async () => {
    await runProgram(async () => {
      const [olm, served] = [later(), later()];
      const watched = new Set<string>();
      let ended = false;
      follow(
        [
          { targets: [target('olm')], from: pulumi.output(true), until: olm.output },
          { targets: [target('catalog')], from: olm.output, until: served.output },
        ],
        { add: ({ name }) => void watched.add(name), remove: ({ name }) => void watched.delete(name) },
        () => (ended = true),
      );
      await valueOf(pulumi.output(true));
      assert.deepEqual([...watched], ['olm']);
      await olm.now();
      assert.deepEqual([...watched], ['catalog']);
      assert.equal(ended, false);
      await served.now();
      assert.deepEqual([...watched], []);
      assert.equal(ended, true);
    });
  });

  it('is not looked at when it is ready before it was begun', async () => {
    await runProgram(async () => {
      const begin = later();
      const watched = new Set<string>();
      const watcher = {
        add: ({ name }: Target): void => void watched.add(name),
        remove: ({ name }: Pick<Target, 'name'>): void => void watched.delete(name),
      };
      follow([{ targets: [target('a')], from: begin.output, until: pulumi.output(true) }], watcher, () => undefined);
      await valueOf(pulumi.output(true));
      await begin.now();
      assert.deepEqual([...watched], []);
    });
  });

  it('may be nothing at all', () => {
    let ended = false;
    follow([], { add: () => undefined, remove: () => undefined }, () => (ended = true));
    assert.equal(ended, true);
  });
});
