import yaml from 'js-yaml';
import { ProblemsError } from './problem.ts';

/** Reads the one document of a YAML file; `object` is what a message calls the file. */
export function readYaml(text: string, object: string, schema: yaml.Schema = yaml.DEFAULT_SCHEMA): unknown {
  try {
    return yaml.load(text, { schema });
  } catch (error) {
    if (!(error instanceof yaml.YAMLException)) throw error;
    throw new ProblemsError([{ object, path: '', message: yamlProblem(error) }]);
  }
}

/** What is wrong, and where. The library's own message shows the lines around it, in which there may be secrets. */
export function yamlProblem({ reason, mark }: { reason: string; mark?: yaml.Mark }): string {
  const where = mark === undefined ? '' : `line ${mark.line + 1}, column ${mark.column + 1}: `;
  return `is not valid YAML: ${where}${reason}`;
}
