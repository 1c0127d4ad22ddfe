import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { routeKeeper, routeVolumes } from '../../../../../packages/render/onwards/route-keeper.ts';
import { at } from '../../../../support/people/stacks.ts';
import { eventually } from '../../../../support/machine/eventually.ts';

describe('the keeper of routes', function () {
  this.timeout(60_000);
  let folder: string;
  const table = (): string => join(folder, 'table');
  const routes = (): string => join(folder, 'routes', 'routes.json');

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'routes-'));
    for (const name of ['table', 'routes']) mkdirSync(join(folder, name));
  });
  after(() => rmSync(folder, { recursive: true }));

  /** Puts a table where the kubelet does: in a folder of its own, to which a link leads that is replaced as a whole. */
  function publish(name: string, text: string): void {
    mkdirSync(join(table(), name));
    writeFileSync(join(table(), name, 'routes.json'), text);
    symlinkSync(name, join(table(), '..data_tmp'));
    renameSync(join(table(), '..data_tmp'), join(table(), '..data'));
  }

  it('writes every change into the same file, which is all that Onwards watches, and stops when it is told to', async () => {
    const [shell = '', ...args] = at(routeKeeper({ repository: 'x' }), 'command') as string[];
    const here = args.map((argument) =>
      argument.replaceAll('/table/', `${table()}/`).replaceAll('/routes/', `${join(folder, 'routes')}/`),
    );
    publish('..1', '{"one":"$HOME `id` \\\\n %s"}\n');
    symlinkSync('..data/routes.json', join(table(), 'routes.json'));
    const keeper = spawn(shell, here, { stdio: 'ignore' });
    const ended = new Promise((resolve) => keeper.once('exit', resolve));
    const shows = (text: string): Promise<void> => eventually(() => assert.equal(readFileSync(routes(), 'utf8'), text));
    await shows('{"one":"$HOME `id` \\\\n %s"}\n');
    const { ino } = statSync(routes());
    for (const version of ['2', '3', '4']) {
      publish(`..${version}`, `{"table":${version}}\n`);
      await shows(`{"table":${version}}\n`);
    }
    assert.equal(statSync(routes()).ino, ino);
    keeper.kill('SIGTERM');
    assert.equal(await ended, 0);
  });

  it('is a container that starts before the gateway, and the gateway waits for the first table', () => {
    const container = routeKeeper({ repository: 'own', tag: '1', pullPolicy: 'Always' });
    assert.deepEqual([container['image'], container['imagePullPolicy']], ['own:1', 'Always']);
    assert.equal(container['restartPolicy'], 'Always');
    assert.match(String(at(container, 'startupProbe.exec.command.2')), /\/routes\/routes\.json/);
  });

  it('has room for the largest table, and its copy in a folder that is the pod’s own', () => {
    assert.deepEqual(routeVolumes('chat-gateway'), [
      { name: 'table', configMap: { name: 'chat-gateway' } },
      { name: 'routes', emptyDir: { medium: 'Memory', sizeLimit: '4Mi' } },
    ]);
  });
});
