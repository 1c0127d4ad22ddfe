import { describeWrongInputs, type WrongInput } from './wrong-input.ts';

/** What somebody writes, in YAML on one line, and what is said about it after the file and the stack. */
type Table = Readonly<Record<string, readonly [text: string | undefined, says: string | readonly string[]]>>;

const HEAD = `apiVersion: models.titanml.co/v1beta1
kind: InferenceStack
metadata: { name: chat, labels: { operatorVersion: v3 } }
`;

/** Wrong specs. Without a text, there is none. */
export function describeSpecs(title: string, table: Table): void {
  const inputs = Object.entries(table).map(([name, [text, says]]): [string, WrongInput] => [
    name,
    {
      args: ['explain', '-f', 's.yaml'],
      files: { 's.yaml': text === undefined ? HEAD : `${HEAD}spec: { ${text} }\n` },
      says: [says].flat(),
      // What is said before the namespace is known does not name it; what is about the whole stack is in its first line.
      after: /^s\.yaml:[14]: InferenceStack (?:default\/)?chat: /,
    },
  ]);
  describeWrongInputs(title, Object.fromEntries(inputs));
}

/** Wrong fields of an application; paths begin there. */
export function describeApplications(title: string, table: Table): void {
  const specs = Object.entries(table).map(([name, [text = '', says]]) => {
    const spec = `applications: { llm: { readerConfig: { modelName: a/b }, ${text} } }`;
    const paths = [says].flat().map((line) => (line.startsWith(': ') ? line : `spec.applications.llm.${line}`));
    return [name, [spec, paths]] as const;
  });
  describeSpecs(title, Object.fromEntries(specs));
}
