import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** The TypeScript declarations of the API, by name. */
export interface Source {
  readonly declarations: ReadonlyMap<string, ts.InterfaceDeclaration | ts.TypeAliasDeclaration>;
  readonly checker: ts.TypeChecker;
}

const TYPES = fileURLToPath(new URL('../types.ts', import.meta.url));

/** Reads the API's types with the compiler that checks them. */
export function readSource(): Source {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2024,
    types: [],
  };
  const program = ts.createProgram([TYPES], options);
  const declarations = new Map<string, ts.InterfaceDeclaration | ts.TypeAliasDeclaration>();
  for (const file of program.getSourceFiles()) {
    if (file.isDeclarationFile) continue;
    for (const statement of file.statements) {
      if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) {
        declarations.set(statement.name.text, statement);
      }
    }
  }
  return { declarations, checker: program.getTypeChecker() };
}

/** Own and inherited members of an interface. */
export function membersOf(source: Source, declaration: ts.InterfaceDeclaration): ts.TypeElement[] {
  const inherited = (declaration.heritageClauses ?? []).flatMap((clause) =>
    clause.types.flatMap(({ expression }) => {
      const parent = source.declarations.get(expression.getText());
      return parent !== undefined && ts.isInterfaceDeclaration(parent) ? membersOf(source, parent) : [];
    }),
  );
  return [...declaration.members, ...inherited];
}

/** The words of a documentation comment, on one line. */
export function documentation(node: ts.Node): string {
  const comments = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  const text = comments.map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '').join(' ');
  return text.replace(/\s+/g, ' ').trim();
}

/** The tags of a documentation comment: `@minimum 1` is `minimum` to `1`. */
export function tags(node: ts.Node): ReadonlyMap<string, string> {
  return new Map(
    ts.getJSDocTags(node).map((tag) => [tag.tagName.text, (ts.getTextOfJSDocComment(tag.comment) ?? '').trim()]),
  );
}
