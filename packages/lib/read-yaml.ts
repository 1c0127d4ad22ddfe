import yaml from 'js-yaml';
import { ProblemsError } from './problem.ts';

/** Reads the one document of a YAML file; `object` is what a message calls the file. */
export function readYaml(text: string, object: string, schema: yaml.Schema = yaml.DEFAULT_SCHEMA): unknown {
  try {
    return yaml.load(text, { schema });
  } catch (error) {
    if (!(error instanceof yaml.YAMLException)) throw error;
    throw new ProblemsError([{ object, path: '', ...yamlProblem(error) }]);
  }
}

/** What is wrong, and where. The library's own message shows the lines around it, in which there may be secrets. */
export function yamlProblem({ reason, mark }: { reason: string; mark?: yaml.Mark }): {
  readonly message: string;
  readonly remedy: string;
} {
  const where = mark === undefined ? '' : `line ${mark.line + 1}, column ${mark.column + 1}: `;
  // An alias or a tag may be the beginning of a password.
  const words = reason.replace(/ ?(?:"[^"]*"|!<.*>)/g, '');
  return { message: `is not valid YAML: ${where}${words}`, remedy: remedyOf(reason) };
}

/** What people have mostly done where the parser stops with such a reason. */
function remedyOf(reason: string): string {
  const [, remedy] = REMEDIES.find(([words]) => reason.includes(words)) ?? [];
  return remedy ?? 'Check the indentation and the quotes there, and a line above.';
}

const REMEDIES: readonly (readonly [words: string, remedy: string])[] = [
  ['tab characters', 'Indent by spaces.'],
  ['duplicated mapping key', 'Leave one of the two.'],
  ['unidentified alias', 'Put texts that begin with * in quotes.'],
  ['cannot start any token', 'Put texts that begin with a special character, such as @ or `, in quotes.'],
  ['unknown tag', 'Put texts that begin with ! in quotes.'],
  ['expected a single document', 'Leave one document in it: --- begins another.'],
  ['unexpected end of the stream', 'Close the quotes or brackets that are opened there.'],
];
