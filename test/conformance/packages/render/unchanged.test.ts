import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { InferenceStack } from '../../../../packages/api/types.ts';
import { render } from '../../../../packages/render/render.ts';
import { contextWith, stackWith } from '../../../support/people/stacks.ts';
import { readCases } from './case.ts';

/** A stack of the time before there were engines to choose from, and the hash of what it was rendered to. */
interface Recorded {
  /** The case that it comes from, or nothing for one that was generated. */
  readonly name: string;
  readonly stack?: InferenceStack;
  readonly sha256: string;
}

const RECORDED = new URL('unchanged.recorded.jsonl', import.meta.url);

describe('stacks from before there were engines', () => {
  it('render to the same bytes, so that an upgrade of the operator restarts no pod', () => {
    const cases = readCases();
    const recorded = readFileSync(RECORDED, 'utf8').trimEnd().split('\n');
    assert.ok(recorded.length >= 200);
    const changed = recorded.flatMap((line, index) => {
      const { name, stack, sha256 } = JSON.parse(line) as Recorded;
      const { values, release, namespace } = cases.get(name) ?? {};
      const { objects } = render(stack ?? stackWith(values ?? {}, release, namespace), contextWith());
      return hash('sha256', JSON.stringify(objects)) === sha256
        ? []
        : [name === '' ? `line ${String(index + 1)}` : name];
    });
    assert.deepEqual(changed, []);
  });
});
