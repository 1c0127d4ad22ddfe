import assert from 'node:assert/strict';
import { annotationProblems, labelProblems } from '../../../../packages/api/text-forms.ts';

describe('keys of labels and annotations', () => {
  const keys = { 'Team.Example.com/owner': 'me' };

  it('differ in capitals, which Kubernetes refuses before the slash of a label alone', () => {
    assert.deepEqual(annotationProblems(keys, 'annotations'), []);
    assert.equal(labelProblems(keys, 'labels').length, 1);
  });

  it('are quoted as they were written', () => {
    const [problem] = annotationProblems({ 'A B': 'c' }, 'annotations');
    assert.deepEqual([problem?.path, problem?.value], ['annotations.A B', 'A B']);
  });
});
