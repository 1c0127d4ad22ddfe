import ts from 'typescript';
import type { Schema } from '../schema.ts';
import { documentation, membersOf, type Source, tags } from './source.ts';

/** Adds to the schema of a named type, or of a field named `Type.field`, what its TypeScript cannot say. */
export type Decorate = (name: string, schema: Schema) => Schema;

/** Types that stand for a schema rather than for fields. */
const SPECIAL: Readonly<Record<string, Schema>> = {
  OpenObject: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  IntOrString: { 'x-kubernetes-int-or-string': true },
  Scalar: { 'x-kubernetes-preserve-unknown-fields': true },
  StringMap: { type: 'object', additionalProperties: { type: 'string' } },
  Alias: { type: 'string', minLength: 1, maxLength: 253 },
  Labels: { type: 'object', additionalProperties: { type: 'string', maxLength: 63 } },
};

/** The schema of an interface of the API. */
export function schemaOfInterface(source: Source, name: string, decorate: Decorate): Schema {
  const declaration = source.declarations.get(name);
  if (declaration === undefined || !ts.isInterfaceDeclaration(declaration)) throw new Error(`no interface ${name}`);
  const description = documentation(declaration);
  // The API server drops an empty description, and a comparison would show a difference for ever.
  const schema: Schema = { type: 'object', ...(description === '' ? {} : { description }), properties: {} };
  for (const member of membersOf(source, declaration)) {
    if (ts.isIndexSignatureDeclaration(member)) {
      schema['x-kubernetes-preserve-unknown-fields'] = true;
    } else if (ts.isPropertySignature(member) && member.type !== undefined) {
      const field = member.name.getText();
      schema.properties = { ...schema.properties, [field]: schemaOfField(source, name, member, member.type, decorate) };
      if (member.questionToken === undefined) schema.required = [...(schema.required ?? []), field];
    }
  }
  return decorate(name, schema);
}

function schemaOfField(
  source: Source,
  owner: string,
  member: ts.PropertySignature,
  type: ts.TypeNode,
  decorate: Decorate,
): Schema {
  const name = `${owner}.${member.name.getText()}`;
  const description = documentation(member);
  if (description === '') throw new Error(`${name} has no description`);
  const given = tags(member);
  const fallback = given.get('default');
  const schema = {
    ...schemaOfNode(source, type, decorate),
    ...constraints(name, given),
    description: fallback === undefined ? description : `${description} Default: ${fallback}.`,
  };
  if (schema.type === 'integer' && schema.format === undefined) throw new Error(`${name} needs @integer or @int64`);
  return decorate(name, schema);
}

function schemaOfNode(source: Source, node: ts.TypeNode, decorate: Decorate): Schema {
  switch (node.kind) {
    case ts.SyntaxKind.StringKeyword:
      return { type: 'string' };
    case ts.SyntaxKind.BooleanKeyword:
      return { type: 'boolean' };
    case ts.SyntaxKind.NumberKeyword:
      return { type: 'integer' };
  }
  if (ts.isArrayTypeNode(node)) {
    return {
      type: 'array',
      'x-kubernetes-list-type': 'atomic',
      items: schemaOfNode(source, node.elementType, decorate),
    };
  }
  if (ts.isTypeReferenceNode(node)) return schemaOfReference(source, node, decorate);
  return { type: 'string', enum: literalsOf(source, node) };
}

function schemaOfReference(source: Source, node: ts.TypeReferenceNode, decorate: Decorate): Schema {
  const name = node.typeName.getText();
  const special = SPECIAL[name];
  if (special !== undefined) return structuredClone(special);
  const value = node.typeArguments?.[1];
  if (name === 'Record' && value !== undefined) {
    return { type: 'object', additionalProperties: schemaOfNode(source, value, decorate) };
  }
  const declaration = source.declarations.get(name);
  if (declaration !== undefined && ts.isInterfaceDeclaration(declaration)) {
    return schemaOfInterface(source, name, decorate);
  }
  return { type: 'string', enum: literalsOf(source, node) };
}

/** The strings of a union, however it is written. */
function literalsOf(source: Source, node: ts.TypeNode): string[] {
  const type = source.checker.getTypeFromTypeNode(node);
  const members = type.isUnion() ? type.types : [type];
  return members.map((member) => {
    if (!member.isStringLiteral()) throw new Error(`no schema for the type ${node.getText()}`);
    return member.value;
  });
}

const NUMBERS = ['minLength', 'maxLength', 'minimum', 'maximum', 'maxItems', 'maxProperties'] as const;

function constraints(name: string, given: ReadonlyMap<string, string>): Schema {
  const schema: Schema = {};
  for (const [tag, text] of given) {
    if (tag === 'pattern') schema.pattern = text;
    else if (tag === 'integer') schema.format = 'int32';
    else if (tag === 'int64') schema.format = 'int64';
    else if (tag === 'dateTime') schema.format = 'date-time';
    else if (tag === 'listMapKey') {
      schema['x-kubernetes-list-type'] = 'map';
      schema['x-kubernetes-list-map-keys'] = [text];
    } else if (tag !== 'default') {
      const number = NUMBERS.find((candidate) => candidate === tag);
      if (number === undefined) throw new Error(`${name} has an unknown tag @${tag}`);
      schema[number] = Number(text);
    }
  }
  return schema;
}
