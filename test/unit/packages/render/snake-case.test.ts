import assert from 'node:assert/strict';
import { snakeCase } from '../../../../packages/render/snake-case.ts';

describe('snake case', () => {
  for (const [key, expected] of [
    ['maxBatchSize', 'max_batch_size'],
    ['readerMessageTimeoutMs', 'reader_message_timeout_ms'],
    ['HTTPServer', 'http_server'],
    ['noHTTPS', 'no_https'],
    ['http2xx', 'http_2xx'],
    ['HTTP20xOK', 'http_20x_ok'],
    ['duration2m3s', 'duration_2m3s'],
    ['fp16', 'fp16'],
    ['fp16Mode', 'fp16_mode'],
    ['already_snake', 'already_snake'],
    ['kebab-case', 'kebab_case'],
    ['dotted.key', 'dotted.key'],
    ['', ''],
  ] as const) {
    it(`turns ${key} into ${expected}`, () => assert.equal(snakeCase(key), expected));
  }
});
