import assert from 'node:assert/strict';
import { brief, summarizeEvents } from '../../../../../packages/kube/pods/pod-events.ts';

const NOW = Date.parse('2026-01-01T01:00:00Z');
const GENERIC = 'Unable to attach or mount volumes: unmounted volumes=[token]: timed out waiting for the condition';

function event(message: string, secondsAgo = 0): Parameters<typeof summarizeEvents>[0][number] {
  const lastTimestamp = new Date(NOW - secondsAgo * 1000).toISOString();
  return { apiVersion: 'v1', kind: 'Event', metadata: { name: message }, message, lastTimestamp };
}

describe('the Events of a pod', () => {
  it('say each thing once, in the same order whatever came last', () => {
    assert.equal(summarizeEvents([event('b'), event('a', 60), event('b', 30)], NOW), 'a; b');
  });

  it('say what is missing rather than that somebody waits', () => {
    assert.equal(summarizeEvents([event(GENERIC), event('secret "hf" not found', 90)], NOW), 'secret "hf" not found');
    assert.equal(summarizeEvents([event(GENERIC)], NOW), GENERIC);
  });

  it('say which Secrets are missing, and not that this is why', () => {
    const message =
      'Unable to retrieve some image pull secrets (regcred); attempting to pull the image may not succeed.';
    assert.equal(summarizeEvents([event(message)], NOW), 'missing pull secrets: regcred');
  });

  it('say nothing about what has passed', () => {
    assert.equal(summarizeEvents([event('failed to sync the cache', 600)], NOW), undefined);
    assert.equal(summarizeEvents([], NOW), undefined);
    const silent = event('a');
    delete silent.message;
    assert.equal(summarizeEvents([silent, event('b')], NOW), 'b');
  });

  it('say nothing about a startup that has succeeded', () => {
    const events = [event('Startup probe failed: 503'), event('Readiness probe failed: 500')];
    assert.equal(summarizeEvents(events, NOW, 'Startup probe '), 'Readiness probe failed: 500');
    assert.equal(summarizeEvents(events.slice(0, 1), NOW, 'Startup probe '), undefined);
    assert.equal(summarizeEvents(events, NOW), 'Readiness probe failed: 500; Startup probe failed: 503');
  });
});

describe('what is kept of an Event while others are read', () => {
  it('is no more than is shown, however long it is', () => {
    const { metadata, message, lastTimestamp, ...rest } = brief({
      ...event('a'.repeat(1_000_000)),
      metadata: { name: 'e', managedFields: [], annotations: { long: 'x'.repeat(1_000_000) } },
    });
    assert.deepEqual(metadata, { name: 'e' });
    assert.equal(message?.length, 1024);
    assert.equal(lastTimestamp, '2026-01-01T01:00:00.000Z');
    assert.deepEqual(rest, { apiVersion: 'v1', kind: 'Event' });
  });
});
