import assert from 'node:assert/strict';
import { formatSeconds, Progress } from '../../../../packages/lib/progress.ts';

function recorder(isTTY: boolean): { isTTY: boolean; text: string; write(text: string): void } {
  return {
    isTTY,
    text: '',
    write(text: string) {
      this.text += text;
    },
  };
}

describe('progress', () => {
  it('numbers the steps and says how each ended', async () => {
    const output = recorder(false);
    const progress = new Progress(2, output);
    progress.start('etcd 3.6.5').done('from the cache');
    await assert.rejects(
      progress.run('kubelet 1.35.4', 5, () => Promise.reject(new Error('no'))),
      /no/,
    );
    assert.equal(output.text, '[1/2] etcd 3.6.5  from the cache (0s)\n[2/2] kubelet 1.35.4  failed (0s)\n');
  });

  it('announces a long step in a log, with the time that it usually takes', () => {
    const output = recorder(false);
    new Progress(1, output).start('kube-apiserver', 230).done();
    assert.equal(output.text, '[1/1] kube-apiserver  0s of about 3:50\n[1/1] kube-apiserver  done (0s)\n');
  });

  it('writes durations as a person would', () => {
    assert.deepEqual([4.4, 65, 3725].map(formatSeconds), ['4s', '1:05', '1:02:05']);
  });
});
