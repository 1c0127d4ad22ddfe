import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { main } from '../../../../cli/main.ts';
import { recordingIo } from '../../../support/people/recording-io.ts';

/*
 * What Pulumi printed for the dev environment in a running cluster, after a change of its settings: a pull secret, another number
 * of replicas and a rollback, with a second operator applied by hand. Resources that stay the same, and outputs, are left out.
 */
const PREVIEW = recorded('json');
const EVENTS = recorded('jsonl');

function recorded(extension: string): string {
  return readFileSync(new URL(`comment.recorded.${extension}`, import.meta.url), 'utf8');
}

async function comment(preview: string, ...args: readonly string[]): Promise<string> {
  const io = recordingIo({ preview, events: EVENTS });
  assert.equal(
    await main(['preview-comment', '--environment', 'dev', '--preview', 'preview', '--events', 'events', ...args], io),
    1,
  );
  return io.stdout();
}

describe('the comment about a real preview', () => {
  it('says what is wrong, what the fleet becomes and what changes', async () => {
    assert.equal(await comment(PREVIEW), recorded('md'));
  });

  it('is the same whatever the order in which Pulumi got to things', async () => {
    const { steps, ...rest } = JSON.parse(PREVIEW) as { steps: unknown[] };
    assert.equal(await comment(JSON.stringify({ ...rest, steps: steps.reverse() })), recorded('md'));
  });

  it('would not show a secret even if Pulumi had not hidden it', async () => {
    assert.ok(PREVIEW.includes('[secret]'));
    const text = await comment(PREVIEW.replaceAll('[secret]', 'hunter2'));
    assert.ok(text.includes('data[".dockerconfigjson"]') && !text.includes('hunter2'), text);
  });

  it('fits wherever it has to', async () => {
    const whole = recorded('md').length;
    for (let limit = 1000; limit <= whole + 100; limit += 50) {
      const text = await comment(PREVIEW, '--limit', String(limit));
      assert.ok(text.length <= limit, `${text.length} characters for a limit of ${limit}`);
      const isCut = text.includes('not fit here');
      assert.equal(isCut, limit < whole, `limit ${limit} of ${whole}`);
    }
  });
});
