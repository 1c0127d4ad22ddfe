import assert from 'node:assert/strict';
import { code, plain, table } from '../../../../packages/lib/markdown.ts';

describe('Markdown that is written', () => {
  it('shows text as it is, on one line, whatever it looks like', () => {
    assert.equal(plain('<b> @team\n`x` | #1'), '&lt;b&gt; &#64;team \\`x\\` \\| \\#1');
    assert.equal(code('a\nb'), '`a b`');
    assert.equal(code('say `x`'), '`` say `x` ``');
  });

  it('keeps a value with a bar in its cell', () => {
    assert.equal(table(['a', 'b'], [[code('x|y'), '1']]), '| a | b |\n| --- | --- |\n| `x\\|y` | 1 |');
  });
});
