import assert from 'node:assert/strict';
import type { Writers } from '../../../../components/guards/writers.ts';
import type { Settings } from '../../../../infra/config/schema.ts';
import { planWriters } from '../../../../infra/guards/plan-writers.ts';
import { withFakeApi, type Answers } from '../../../support/kubernetes/fake-api.ts';

const REVIEW = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const LISTED: Writers = { users: ['anna'], groups: [], appliers: [] };

/** The API server's answer to somebody who asks who they are. */
function knownAs(username: string, ...groups: string[]): Answers {
  return { [REVIEW]: { kind: 'SelfSubjectReview', status: { userInfo: { username, groups } } } };
}

interface Run {
  readonly writers?: readonly string[] | undefined;
  readonly answers?: Answers;
  readonly live?: Writers;
  readonly known?: boolean;
  readonly preview?: boolean;
  readonly guards?: Settings['guards'];
}

async function plan(run: Run): Promise<{ readonly planned: Writers | undefined; readonly said: readonly string[] }> {
  const { answers = {}, live, known = true, preview = false, guards = 'deny' } = run;
  const writers = 'writers' in run ? run.writers : ['User anna'];
  const settings = { olm: { writers }, guards } as Settings;
  const said: string[] = [];
  const log = {
    info: (text: string): void => void said.push(text),
    warn: (text: string): void => void said.push(text),
  };
  const planned = await withFakeApi(answers, (kubeconfig) =>
    planWriters({
      settings,
      cluster: { kubeconfig, context: 'fake' },
      live: { known, ...(live === undefined ? {} : { writers: live }) },
      preview,
      log,
    }),
  );
  return { planned, said: said.map((text) => text.replaceAll(/--kubeconfig=\S+ /g, '')) };
}

describe('the writers that the program holds a cluster to', () => {
  it('are not asked for where no list is set and none is in force', async () => {
    assert.deepEqual(await plan({ writers: undefined }), { planned: undefined, said: [] });
  });

  it('are the list and whoever runs it, which is said', async () => {
    assert.deepEqual(await plan({ answers: knownAs('bob', 'devs') }), {
      planned: { ...LISTED, appliers: ['bob'] },
      said: [
        'olm.writers: the list does not name User bob, who is admitted only because they run this. `up` under another name will be refused. List a group of theirs: devs.',
        'ClusterExtensions and ClusterCatalogs may be written by: User anna, User bob.',
      ],
    });
  });

  it('are said to be warned about, not refused, where the guard only warns', async () => {
    const { said } = await plan({ answers: knownAs('bob', 'devs'), guards: 'warn' });
    assert.deepEqual(said, [
      'olm.writers: the list does not name User bob, who is admitted only because they run this. `up` under another name will cause warnings. List a group of theirs: devs.',
      'The guard warns whoever writes ClusterExtensions and ClusterCatalogs, except: User anna, User bob.',
    ]);
  });

  describe('for a session of a role, whose name nobody has a second time', () => {
    const NAME = 'arn:aws:sts::111122223333:assumed-role/deployer/GitHubActions-17';
    const SESSION = knownAs(NAME, 'fleet-admins', 'system:authenticated');
    const REFUSAL =
      'olm.writers: is not on the list, and is the name of one session: the guard would refuse the next one ' +
      `(got "User ${NAME}"). List a group of theirs: fleet-admins. The access entry of the role in EKS decides on its ` +
      'groups (kubernetesGroups). It can also give the role a username without the session, which can be listed as `User <name>`.';

    it('refuse to be applied, and say what to list', async () => {
      for (const live of [undefined, { ...LISTED, appliers: [NAME] }]) {
        const run = { answers: SESSION, ...(live === undefined ? {} : { live }) };
        await assert.rejects(plan(run), { name: 'ProblemsError', message: REFUSAL });
      }
    });

    it('are the list alone in a preview, which says so', async () => {
      assert.deepEqual(await plan({ answers: SESSION, preview: true }), {
        planned: LISTED,
        said: [`\`up\` would be refused if it ran as the user of this preview: ${REFUSAL}`],
      });
    });

    it('only warn where the guard does', async () => {
      assert.deepEqual(await plan({ answers: SESSION, guards: 'warn' }), {
        planned: LISTED,
        said: [`With \`guards: deny\` \`up\` would be refused: ${REFUSAL}`],
      });
    });

    it('are the list alone where it names one of its groups', async () => {
      const { planned, said } = await plan({ answers: SESSION, writers: ['Group fleet-admins'] });
      assert.deepEqual(planned, { users: [], groups: ['fleet-admins'], appliers: [] });
      assert.equal(said.length, 1);
    });
  });

  it('are the list alone where it names whoever runs it, and drop who ran it before', async () => {
    const live = { ...LISTED, appliers: ['bob'] };
    assert.deepEqual((await plan({ answers: knownAs('anna'), live })).planned, LISTED);
  });

  it('stay as they are for whoever applied them', async () => {
    const live = { ...LISTED, appliers: ['bob'] };
    assert.deepEqual((await plan({ answers: knownAs('bob'), live })).planned, live);
  });

  const WAY_OUT =
    'Let one of those add User eve or one of its groups (devs) to olm.writers, and run `up`. If none of them is left, run ' +
    '`kubectl --context=fake delete validatingadmissionpolicybinding inference-stack-fleet-writers`, then `pulumi up --refresh`.';
  const REFUSAL =
    'olm.writers: is not admitted by the guard in the cluster, which would refuse its changes to ClusterExtensions and ClusterCatalogs. ' +
    `Admitted: User anna, User bob (got "User eve"). ${WAY_OUT}`;
  const HELD = { ...LISTED, appliers: ['bob'] };

  it('refuse a run as somebody whom the cluster does not admit, and say how to get out', async () => {
    const message = async (run: Run): Promise<string> =>
      plan({ ...run, answers: knownAs('eve', 'devs', 'system:authenticated'), live: HELD }).then(
        () => 'was not refused',
        (error: unknown) => String(error).replaceAll(/--kubeconfig=\S+ /g, ''),
      );
    assert.equal(await message({}), `ProblemsError: ${REFUSAL}`);
    // Neither adding oneself nor taking the list away helps: the guard in the cluster refuses until it is changed.
    assert.equal(await message({ writers: ['User eve'] }), `ProblemsError: ${REFUSAL}`);
    assert.equal(await message({ writers: undefined }), `ProblemsError: ${REFUSAL}`);
  });

  it('let such a preview pass with a warning, and show what its next applier would do', async () => {
    const preview = { answers: knownAs('eve', 'devs'), live: HELD, preview: true };
    assert.deepEqual(await plan(preview), {
      planned: HELD,
      said: [`\`up\` would be refused if it ran as the user of this preview: ${REFUSAL}`],
    });
    assert.equal((await plan({ ...preview, writers: undefined })).planned, undefined);
  });

  it('are the list alone in a preview without a cluster, which says so', async () => {
    assert.deepEqual(await plan({ known: false, preview: true }), {
      planned: LISTED,
      said: [
        'olm.writers: the user that `up` will run as is not known here. The guard of this preview admits the list alone.',
      ],
    });
  });

  for (const [why, answers, reason] of [
    ['must not ask', { [REVIEW]: 403 }, 'answered 403'],
    ['is told nothing', { [REVIEW]: { kind: 'SelfSubjectReview', status: {} } }, 'does not say who asked it'],
    ['meets an API server that is too old', {}, 'answered 404'],
  ] as const) {
    it(`refuse whoever ${why}, as they might lock themselves out`, async () => {
      for (const preview of [true, false]) {
        await assert.rejects(
          plan({ answers, preview }),
          new RegExp(
            `^ProblemsError: olm\\.writers: cannot be applied: the user that this runs as could not be determined.*${reason}`,
          ),
        );
      }
    });
  }
});
