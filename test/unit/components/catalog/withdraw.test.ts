import assert from 'node:assert/strict';
import { parseDeprecations } from '../../../../components/catalog/deprecations.ts';
import { promoteVersion, renderReleased } from '../../../../components/catalog/release.ts';
import type { CatalogState } from '../../../../components/catalog/release.ts';
import { refreshWaysOut, withdrawnProblems, withdrawVersion } from '../../../../components/catalog/withdraw.ts';
import { formatProblem } from '../../../../packages/lib/problem.ts';
import { releasedState, releaseTiny } from '../../../support/olm/released-state.ts';

const FILE = 'deprecations.yaml';
const NOTES = '# Ours.\n';
const RELEASED = releasedState({ '1.0.0': ['Stable'], '1.1.0': ['Stable'], '1.2.0': ['Stable'] });

function withdraw(version: string, reason: string, text = NOTES, state = RELEASED): string {
  return withdrawVersion(state, { text, file: FILE }, { version, reason }).text;
}

function messages(text: string): readonly (readonly [string | undefined, string])[] {
  return (parseDeprecations(text, FILE)?.entries ?? []).map(({ reference, message }) => [reference.name, message]);
}

const REMEDY = 'Say in one sentence what is wrong with the version: REASON="It loses requests under load."';

describe('withdrawing a version', () => {
  it('deprecates its bundle, with the reason and the way out, and says so', () => {
    const { text, message } = withdrawVersion(
      RELEASED,
      { text: NOTES, file: FILE },
      { version: 'v1.2.0', reason: ' It loses requests ' },
    );
    assert.equal(message, 'Withdrawn: It loses requests. Way out: go back to 1.1.0 with rollbackTo.');
    assert.deepEqual(messages(text), [['tiny.v1.2.0', message]]);
    assert.ok(text.startsWith(NOTES));
  });

  it('leaves every version in every channel', () => {
    const deprecations = parseDeprecations(withdraw('1.2.0', 'no'), FILE);
    const { deprecations: added, ...rest } = renderReleased(RELEASED, deprecations);
    assert.deepEqual(added, deprecations);
    const { deprecations: none, ...before } = renderReleased(RELEASED);
    assert.equal(none, undefined);
    assert.deepEqual(rest, before);
  });

  it('changes nothing when it is done again for the same reason', () => {
    const once = withdraw('1.2.0', 'It loses requests');
    assert.equal(withdraw('v1.2.0', 'It loses requests.', once), once);
  });

  it('leads people past a version that is withdrawn later', () => {
    const first = withdraw('1.0.0', 'Slow.');
    assert.deepEqual(messages(first), [['tiny.v1.0.0', 'Withdrawn: Slow. Way out: upgrade to 1.2.0.']]);
    assert.deepEqual(messages(withdraw('1.2.0', 'Wrong.', first)), [
      ['tiny.v1.0.0', 'Withdrawn: Slow. Way out: upgrade to 1.1.0.'],
      ['tiny.v1.2.0', 'Withdrawn: Wrong. Way out: go back to 1.1.0 with rollbackTo.'],
    ]);
  });

  it('leads people to what is released later, and leaves alone what somebody has written', () => {
    const own = `schema: olm.deprecations\npackage: tiny\nentries:\n- {reference: {schema: olm.channel, name: stable-v1}, message: 'Withdrawn: use v2'}\n`;
    const text = withdraw('1.2.0', 'No: "Way out: none" was it', own);
    assert.equal(refreshWaysOut(RELEASED, { text, file: FILE }), text);
    const later = releaseTiny(RELEASED, '1.2.1', ['Stable']);
    assert.deepEqual(messages(refreshWaysOut(later, { text, file: FILE })), [
      ['stable-v1', 'Withdrawn: use v2'],
      ['tiny.v1.2.0', 'Withdrawn: No: "Way out: none" was it. Way out: upgrade to 1.2.1.'],
    ]);
    assert.equal(refreshWaysOut(later, { text: NOTES, file: FILE }), NOTES);
  });

  it('goes on while lines that somebody has written into the template wait to be recorded', () => {
    const template = `${RELEASED.template}    - Image: docker.io/tytn/tiny:1.3.0\n`;
    const text = withdraw('1.2.0', 'No.', NOTES, { ...RELEASED, template });
    assert.equal(text, withdraw('1.2.0', 'No.'));
    assert.equal(refreshWaysOut({ ...RELEASED, template }, { text, file: FILE }), text);
  });

  it('takes a version to go to from another channel once it is promoted', () => {
    const state = releasedState({ '1.0.0': ['Fast'], '1.1.0': ['Fast'] });
    const stable = promoteVersion(state, '1.0.0').state;
    const text = withdraw('1.0.0', 'No.', NOTES, stable);
    assert.match(text, /upgrade to 1\.1\.0 \(fast-v1\); no other version in stable-v1, while fast-v1 has 1\.1\.0\.'\n/);
    const promoted = promoteVersion(stable, '1.1.0').state;
    assert.match(refreshWaysOut(promoted, { text, file: FILE }), /Way out: upgrade to 1\.1\.0\.'\n/);
  });

  it('keeps a withdrawn version from being offered in more channels', () => {
    const text = withdraw('1.2.0', 'No.');
    const file = { text, file: FILE };
    assert.deepEqual(withdrawnProblems(RELEASED.lock, 'v1.2.0', file).map(formatProblem), [
      'deprecations.yaml: VERSION: is deprecated: Withdrawn: No. Way out: go back to 1.1.0 with rollbackTo. (got "v1.2.0"). Offer one that is not deprecated.',
    ]);
    for (const version of ['1.1.0', '9.0.0', 'x'])
      assert.deepEqual(withdrawnProblems(RELEASED.lock, version, file), []);
  });

  const withdrawn = withdraw('1.2.0', 'No.');
  const nothing: CatalogState = { ...RELEASED, lock: { package: 'tiny', versions: [] } };
  const refused: readonly (readonly [string, () => string, string])[] = [
    [
      'a version that is not released',
      () => withdraw('v1.2.0-rc1', 'no'),
      'catalog.yaml: VERSION: is not released (got "v1.2.0-rc1"). Released versions: 1.0.0, 1.1.0, 1.2.0.',
    ],
    [
      'any version before the first release',
      () => withdraw('1.0.0', 'no', NOTES, nothing),
      'catalog.yaml: VERSION: is not released (got "1.0.0"). Nothing is released yet: use `fleet catalog add`.',
    ],
    ...['1.2', 'v1.02.0', '1.2.0-rc..1', 'vv1.2.0', ''].map(
      (version) =>
        [
          `the version ${JSON.stringify(version)}`,
          () => withdraw(version, 'no'),
          `catalog.yaml: VERSION: is not a semantic version (got "${version}"). Use a version such as v1.2.3 or v1.3.0-rc.1.`,
        ] as const,
    ),
    [
      'no reason, together with a wrong version',
      () => withdraw('9.0.0', ' '),
      `catalog.yaml: VERSION: is not released (got "9.0.0"). Released versions: 1.0.0, 1.1.0, 1.2.0.\ndeprecations.yaml: REASON: must not be empty (got " "). ${REMEDY}`,
    ],
    [
      'a reason of two lines',
      () => withdraw('1.2.0', 'a\nb'),
      `deprecations.yaml: REASON: must be one line (got "a\\nb"). ${REMEDY}`,
    ],
    [
      'a reason that nobody reads to its end',
      () => withdraw('1.2.0', 'a'.repeat(201)),
      `deprecations.yaml: REASON: must have at most 200 characters, and has 201 (got "${'a'.repeat(79)}…). ${REMEDY}`,
    ],
    [
      'another reason than before',
      () => withdraw('1.2.0', 'Yes.', withdrawn),
      'deprecations.yaml: REASON: differs from the reason for which 1.2.0 is withdrawn already: No. (got "Yes."). To change the reason, edit it in deprecations.yaml.',
    ],
    [
      'a version from which OLM would move clusters to a withdrawn one',
      () => withdraw('1.1.0', 'no', withdrawn),
      'catalog.yaml: VERSION: cannot be withdrawn yet: OLM would move clusters that follow stable-v1 from 1.1.0 to 1.2.0, which is withdrawn, too (got "1.1.0"). Release a version that they can go to from 1.1.0 first.',
    ],
    [
      'a file of another package',
      () => withdraw('1.2.0', 'no', 'schema: olm.deprecations\npackage: other\n'),
      'olm.deprecations: package: is not in the catalog (got "other"). Use tiny.',
    ],
  ];
  for (const [what, work, message] of refused) {
    it(`is refused for ${what}`, () => assert.throws(work, { message }));
  }
});
