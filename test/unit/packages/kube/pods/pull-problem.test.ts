import assert from 'node:assert/strict';
import { pullProblem } from '../../../../../packages/kube/pods/pull-problem.ts';

const IMAGE = 'docker.io/tytn/takeoff-pro:nope';
const PULL = `failed to pull and unpack image "${IMAGE}": failed to resolve image`;
const NOT_FOUND = `rpc error: code = NotFound desc = ${PULL}: ${IMAGE}: not found`;
const DENIED = `${PULL}: pull access denied, repository does not exist or may require authorization`;

describe('why an image cannot be pulled', () => {
  it('is the image and the cause, each once', () => {
    assert.equal(pullProblem('ErrImagePull', NOT_FOUND), `ErrImagePull: ${IMAGE}: not found`);
    assert.equal(
      pullProblem('ErrImagePull', DENIED),
      `ErrImagePull: ${IMAGE}: pull access denied, repository does not exist or may require authorization`,
    );
    const reference = `failed to pull and unpack image "${IMAGE}": failed to resolve reference "${IMAGE}": no such host`;
    assert.equal(pullProblem('ErrImagePull', reference), `ErrImagePull: ${IMAGE}: no such host`);
  });

  it('reads the same between two tries', () => {
    const backOff = `Back-off pulling image "${IMAGE}": ErrImagePull: ${NOT_FOUND}`;
    assert.equal(pullProblem('ImagePullBackOff', backOff), pullProblem('ErrImagePull', NOT_FOUND));
  });

  it('keeps neither the request nor the ends of the connection, which are others at every try', () => {
    const failure = (port: number): string =>
      `failed to pull and unpack image "${IMAGE}": failed to resolve reference "${IMAGE}": failed to do request: ` +
      'Head "https://registry-1.docker.io/v2/tytn/takeoff-pro/manifests/nope": dial tcp: lookup registry-1.docker.io ' +
      `on 10.96.0.10:53: read udp 10.0.0.7:${port}->10.96.0.10:53: i/o timeout`;
    const problem = `ErrImagePull: ${IMAGE}: dial tcp: lookup registry-1.docker.io on 10.96.0.10:53: i/o timeout`;
    assert.equal(pullProblem('ErrImagePull', failure(40000)), problem);
    assert.equal(pullProblem('ErrImagePull', failure(40001)), problem);
  });

  it('is what the kubelet says, where it says it in other words', () => {
    assert.equal(
      pullProblem('ImagePullBackOff', 'Back-off pulling image "x"'),
      'ImagePullBackOff: Back-off pulling image "x"',
    );
    assert.equal(pullProblem('ErrImagePull', 'denied'), 'ErrImagePull: denied');
    assert.equal(pullProblem('ErrImagePull'), 'ErrImagePull');
  });
});
