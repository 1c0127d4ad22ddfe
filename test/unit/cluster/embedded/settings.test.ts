import assert from 'node:assert/strict';
import { addressAt, overlaps, parseCidr } from '../../../../cluster/embedded/cidr.ts';
import { layoutOf } from '../../../../cluster/embedded/layout.ts';
import { parseListeningPorts } from '../../../../cluster/embedded/machine.ts';
import { refuseUnsupported } from '../../../../cluster/embedded/preconditions.ts';
import { checkSettings, type ClusterSettings, readSettings } from '../../../../cluster/embedded/settings.ts';

const settings = readSettings('cluster/cluster.yaml');

function broken(change: Partial<ClusterSettings>): string[] {
  return checkSettings({ ...settings, ...change }).map(({ path, message }) => `${path}: ${message}`);
}

describe("the embedded cluster's settings", () => {
  it('are right as committed', () => {
    assert.deepEqual(checkSettings(settings), []);
  });

  it('name every value that cannot work', () => {
    const network = { ...settings.network, pods: '10.0.0.0/28', services: 'all' };
    const gpus = { ...settings.gpus, count: -1 };
    assert.deepEqual(broken({ name: 'Much-too-long-a-name', network, gpus }), [
      'name: cannot name a network device',
      'network.pods: is not an IPv4 network of /24 or larger',
      'network.services: is not an IPv4 network of /24 or larger',
      'gpus.count: is not a whole number of at least 0',
    ]);
  });

  it('give every address from the networks, and every path from one directory', () => {
    const layout = layoutOf(settings, { CLUSTER_STATE: '/state' });
    assert.equal(layout.registry, '10.213.0.2:5000');
    assert.equal(layout.dnsAddress, '10.215.0.10');
    const paths = [layout.pki, layout.config, layout.data, layout.kubeconfig, layout.buildkitSocket];
    assert.ok(paths.every((path) => path.startsWith('/state/')));
    assert.throws(() => layoutOf(settings, { CLUSTER_STATE: `/${'x'.repeat(120)}` }), /CLUSTER_STATE.*shorter path/);
  });
});

describe('IPv4 networks', () => {
  it('are parsed, counted and compared', () => {
    assert.deepEqual(parseCidr('10.1.2.0/24'), { base: 0x0a010200, bits: 24 });
    for (const text of ['10.1.2.0', '10.1.2.256/24', '10.1.2.0/33', '::/0']) assert.equal(parseCidr(text), undefined);
    assert.equal(addressAt('10.1.255.0/16', 257), '10.2.0.1');
    const [wide, inner, other] = ['10.0.0.0/8', '10.9.0.0/16', '192.168.0.0/16'].map((text) => {
      const cidr = parseCidr(text);
      assert.ok(cidr);
      return cidr;
    });
    assert.ok(wide && inner && other);
    assert.ok(overlaps(wide, inner) && overlaps(inner, wide));
    assert.ok(!overlaps(inner, other));
  });
});

describe('listening ports', () => {
  it('are those in state LISTEN', () => {
    const table = `  sl  local_address rem_address   st tx_queue
   0: 0200D50A:192B 00000000:0000 0A 00000000:00000000
   1: 0200D50A:1F90 0100D50A:C350 01 00000000:00000000`;
    assert.deepEqual(parseListeningPorts(table), [6443]);
  });
});

describe('an unsupported machine', () => {
  it('is told what is missing and what to use instead', () => {
    refuseUnsupported('linux', 0);
    assert.throws(
      () => refuseUnsupported('darwin', 501),
      /made of Linux programs \(got "darwin"\).*use-your-own-cluster/,
    );
    assert.throws(
      () => refuseUnsupported('linux', 1000),
      /root is needed \(got 1000\)\. Run the same command with sudo/,
    );
  });
});
