import assert from 'node:assert/strict';
import { lastLines } from '../../../../components/waits/last-lines.ts';

describe('the last lines of a log', () => {
  it('are five on one line, without colours and empty ones', () => {
    const log = 'one\ntwo\n\u001b[31mthree\u001b[0m\n\nfour\r\n\tfive\nsix\n';
    assert.equal(lastLines(log), 'two | three | four | five | six');
  });

  it('come to about a kilobyte, however long they are', () => {
    const line = lastLines(`${'x'.repeat(5000)}\n`.repeat(9));
    assert.ok(line.length <= 1024, `${line.length}`);
    assert.equal(line.split(' | ').length, 5);
  });
});
