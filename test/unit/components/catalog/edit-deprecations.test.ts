import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import prettier from 'prettier';
import { parseDeprecations } from '../../../../components/catalog/deprecations.ts';
import { bundleEntry, writeEntry } from '../../../../components/catalog/edit-deprecations.ts';

const FILE = 'deprecations.yaml';
const WANTED = { bundle: 'tiny.v1.0.0', message: 'Use 1.0.1: it works.' };
const HEADER = 'schema: olm.deprecations\npackage: tiny\n';
const ENTRY = `- reference: { schema: olm.bundle, name: tiny.v1.0.0 }\n`;

function write(text: string, message = WANTED.message): string {
  return writeEntry(text, 'tiny', { ...WANTED, message }, FILE);
}

describe('a deprecations file', () => {
  const layouts: readonly [string, string, string][] = [
    ['of comments', '# Ours.\n#\n', `# Ours.\n#\n${HEADER}entries:\n  ${ENTRY}    message: 'Use 1.0.1: it works.'\n`],
    ['that is empty', '', `${HEADER}entries:\n  ${ENTRY}    message: 'Use 1.0.1: it works.'\n`],
    [
      'with an empty list',
      `${HEADER}entries: [] # none\n`,
      `${HEADER}entries: # none\n  ${ENTRY}    message: 'Use 1.0.1: it works.'\n`,
    ],
    ['without a list', HEADER, `${HEADER}entries:\n  ${ENTRY}    message: 'Use 1.0.1: it works.'\n`],
    [
      'with entries and notes',
      `${HEADER}entries:\n# Old.\n- {reference: {schema: olm.package}, message: x} # why\n# To do.\n`,
      `${HEADER}entries:\n# Old.\n- {reference: {schema: olm.package}, message: x} # why\n${ENTRY}  message: 'Use 1.0.1: it works.'\n# To do.\n`,
    ],
    [
      'that ends with something else',
      `schema: olm.deprecations\nentries:\n  - reference: { schema: olm.package }\n    message: x\n\npackage: tiny\n`,
      `schema: olm.deprecations\nentries:\n  - reference: { schema: olm.package }\n    message: x\n  ${ENTRY}    message: 'Use 1.0.1: it works.'\n\npackage: tiny\n`,
    ],
  ];
  for (const [what, before, after] of layouts) {
    it(`${what} gets an entry, keeps the rest, and is the same when it is written again`, () => {
      assert.equal(write(before), after);
      assert.equal(write(after), after);
    });
  }

  it('gets another message in the place of the old one', () => {
    const text = `${HEADER}entries:\n  # Sad.\n  ${ENTRY}    message: old # of 2026\n  - reference: { schema: olm.package }\n    message: x\n`;
    assert.equal(write(text, 'new'), text.replace('old # of 2026', "'new'"));
  });

  it('is refused when it is laid out in a way that cannot be edited safely', () => {
    const remedy = `Write this entry there by hand, and run the command again: ${JSON.stringify(bundleEntry(WANTED))}`;
    const message = `${FILE}: entries: is laid out in an unusual way. ${remedy}`;
    for (const entries of [
      'entries: [{reference: {schema: olm.package}, message: x}]\n',
      'entries:\n- message: x\n  reference: {schema: olm.bundle, name: tiny.v1.0.0}\n',
    ]) {
      assert.throws(() => write(`${HEADER}${entries}`), { message });
    }
  });

  it('holds any message of one line', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        const message = `Withdrawn: ${text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '?')}.`;
        assert.equal(parseDeprecations(write('', message), FILE)?.entries[0]?.message, message);
      }),
      { numRuns: 300 },
    );
  });

  it('is written as the formatter wants it, below the comment of this repository', async () => {
    const text = write(readFileSync('catalog/deprecations.yaml', 'utf8'), `It's slow: ${'very '.repeat(40)}.`);
    assert.ok(await prettier.check(text, { parser: 'yaml', printWidth: 120, singleQuote: true }), text);
  });
});
