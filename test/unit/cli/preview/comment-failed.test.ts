import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { main } from '../../../../cli/main.ts';
import { recordingIo } from '../../../support/people/recording-io.ts';

/** Of a preview that a mandatory policy has refused. */
const [REFUSED, EVENTS] = ['json', 'jsonl'].map((extension) =>
  readFileSync(new URL(`comment.recorded.${extension}`, import.meta.url), 'utf8'),
);
const FINISHED = '{"changeSummary":{"same":3}}';
const SUMMARY_EVENT = '{"summaryEvent":{"resourceChanges":{"same":3},"result":"succeeded"}}\n';

/** The comment; files are those that are given. */
async function comment(files: Readonly<Record<string, string | undefined>>, expected: number): Promise<string> {
  const io = recordingIo(
    Object.fromEntries(Object.entries(files).filter((file): file is [string, string] => file[1] !== undefined)),
  );
  const events = 'events' in files ? ['--events', 'events'] : [];
  assert.equal(
    await main(['preview-comment', '--environment', 'dev', '--preview', 'preview', ...events], io),
    expected,
    io.stdout(),
  );
  return io.stdout();
}

describe('the comment about a preview that went wrong', () => {
  for (const [what, preview] of [
    ['is not there', undefined],
    ['is empty', ''],
    ['is a message', 'error: no stack named dev found'],
    ['is {}', '{}'],
    ['is []', '[]'],
    ['is null', 'null'],
    ['is cut off', '{"steps":[{"op":"create"'],
    ['tells of steps, and not of their end', '{"steps":[{"op":"same"}]}'],
  ] as const) {
    it(`says that it cannot be read where it ${what}, and never that nothing changes`, async () => {
      const text = await comment({ preview }, 1);
      assert.match(text, /^<!-- inference-stack-fleet preview of dev -->\n\n### Preview of `dev`: cannot be read\n/);
      assert.match(text, /\*\*What went wrong\*\*\n\n- preview: .+ The output of the preview says why\.\n/);
      assert.doesNotMatch(text, /no changes/);
    });
  }

  it('says that it failed where Pulumi says so and nobody says why', async () => {
    for (const events of [{}, { events: SUMMARY_EVENT }]) {
      const text = await comment({ preview: REFUSED, ...events }, 1);
      assert.match(text, /### Preview of `dev`: failed \(1 to create, 1 to replace, 81 unchanged, 3 to update\)\n/);
      assert.match(text, /- Pulumi does not say why\. A policy may have refused it/);
    }
  });

  it('says that it failed where only the event log does', async () => {
    const events = SUMMARY_EVENT.replace('succeeded', 'failed');
    assert.match(await comment({ preview: FINISHED, events }, 1), /### Preview of `dev`: failed \(3 unchanged\)\n/);
  });

  it('does not pass over policies whose findings cannot be read', async () => {
    for (const events of [undefined, '', 'no log\n', '{"summaryEvent":{"resu', '{"preludeEvent":{}}\n']) {
      const text = await comment({ preview: FINISHED, events }, 1);
      assert.match(text, /### Preview of `dev`: 3 unchanged, but what policies found is not known\n/);
      assert.match(text, /- events: .+ The output of the preview says why\.\n/);
    }
    assert.match(await comment({ preview: FINISHED, events: SUMMARY_EVENT }, 0), /### Preview of `dev`: 3 unchanged\n/);
  });

  it('shows what policies found and what to do about it, also where the preview itself cannot be read', async () => {
    const text = await comment({ preview: '', events: EVENTS }, 1);
    assert.match(text, /### Preview of `dev`: refused by 1 policy finding\n/);
    assert.match(text, /- \*\*mandatory\*\*, critical, `one-operator-per-major`: ClusterExtension /);
    assert.match(
      text,
      /\*\*What to do\*\*\n\n- `one-operator-per-major`: Keep one ClusterExtension per major: remove /,
    );
    assert.match(text, /- preview: is empty\./);
  });

  it('says once what to do about each rule of this project, and nothing about rules of others', async () => {
    const finding = (policyPackName: string, policyName: string, enforcementLevel: string): string =>
      JSON.stringify({ policyEvent: { policyPackName, policyName, enforcementLevel, message: 'About.\nWhat.' } });
    const events = [
      finding('inference-stack-fleet', 'crd-is-protected', 'advisory'),
      finding('inference-stack-fleet', 'crd-is-protected', 'advisory'),
      finding('inference-stack-fleet', 'known-in-preview', 'advisory'),
      finding('others', 'images-by-digest', 'advisory'),
      SUMMARY_EVENT,
    ].join('\n');
    const text = await comment({ preview: FINISHED, events }, 0);
    const [, todo = ''] = text.split('**What to do**\n\n');
    assert.deepEqual(
      todo
        .trim()
        .split('\n')
        .map((line) => line.split(': ')[0]),
      ['- `crd-is-protected`', '- `known-in-preview`'],
    );
  });
});
