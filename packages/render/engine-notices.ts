import type { Application, FrozenDefaults, Model } from '../api/types.ts';
import { names } from '../lib/message.ts';
import { ownValue } from '../lib/values.ts';
import type { Problem } from '../lib/problem.ts';
import { isReader, type EffectiveOpen, type EffectiveSpec } from './effective.ts';
import { isSaid, said } from './engines/arguments.ts';
import { expanded } from './engines/expanded.ts';
import type { KnownEngine } from './engines/facts.ts';
import { pathOf } from './engines/folders.ts';
import { MODELS_FOLDER } from './engines/model-source.ts';
import { newestRevision, type EngineSettings } from './engines/table.ts';
import { ENGINE_TABLES } from './engines/tables.ts';
import { ONWARDS_REVISIONS } from './onwards/table.ts';

/** What an open engine will not do as its author may think. */
export function engineNotices(path: string, application: EffectiveOpen, known: KnownEngine): Problem[] {
  return [
    ...modelNotices(path, application, known),
    ...argumentNotices(path, application, known),
    ...imageNotice(path, application, known),
    ...askedRevision(path, application, known),
  ];
}

function modelNotices(path: string, application: EffectiveOpen, { table, facts }: KnownEngine): Problem[] {
  const { engine, model, modelsVolume, modelCache, volumeMounts = [], command = [], args = [] } = application;
  if (model === undefined) return [];
  const { name = '', path: file, image } = model;
  const isMounted = (folder: string): boolean =>
    modelsVolume !== undefined ||
    modelCache !== undefined ||
    volumeMounts.some((mount) => `${folder}/`.startsWith(`${pathOf(mount)}/`));
  const found: Problem[] = [];
  if (file !== undefined && !file.startsWith('/') && !isMounted(`${MODELS_FOLDER}/${file}`)) {
    found.push({
      path: `${path}.model.path`,
      value: file,
      message: `is looked for in ${MODELS_FOLDER}, where nothing is mounted`,
      remedy: 'Set modelsVolume or modelCache.',
    });
  }
  if (facts.arguments.length > 0 && /^https?:/i.test(name)) {
    const message = 'is an address, and the engine wants the name of a model on Hugging Face';
    found.push({ path: `${path}.model.name`, value: name, message, remedy: 'Write owner/model.' });
  }
  if (engine === 'llamacpp' && image !== undefined && (image.path ?? '') === '') {
    found.push({
      path: `${path}.model.image.path`,
      message: 'is not set, and llama.cpp loads a file, not a folder',
      remedy: 'Name the GGUF file in the image.',
    });
  }
  // Whoever writes the command, or arguments that the table has none of, says there what the engine is to load.
  const isTheirs = command.length > 0 || (facts.arguments.length === 0 && args.length > 0);
  for (const field of isTheirs ? [] : unheard(model, facts.arguments)) {
    const message = `has no effect: no argument of ${table.title} is known for it`;
    found.push({ path: `${path}.model.${field}`, message, remedy: 'Say it in args.' });
  }
  return found;
}

/** Fields of a model that no argument of the engine hands over. An engine without arguments may still use the name. */
function unheard(model: Model, facts: readonly { readonly setting?: keyof EngineSettings }[]): string[] {
  const fields = ['revision', 'path', 'url'] as const;
  return fields.filter((field) => model[field] !== undefined && !facts.some(({ setting }) => setting === field));
}

/** Where an engine asks for a key, nobody has it: Onwards sends none, and takes away those of clients. */
const KEYS = {
  flags: ['--api-key', '--api-key-file'],
  variables: ['VLLM_API_KEY', 'LLAMA_API_KEY', 'LLAMA_ARG_API_KEY_FILE'],
} as const;

/** A flag and its value in one text, as in a shell's line. Values behind `=` may hold spaces. */
const FLAG_AND_VALUE = /^--?[a-z][\w-]*\s/i;

function argumentNotices(path: string, application: EffectiveOpen, { table, facts }: KnownEngine): Problem[] {
  const { command = [], args = [], env, port = facts.port } = application;
  const given = [...command, ...args];
  const found: Problem[] = [];
  const asked = said(table, 'port', given);
  if (asked !== undefined && ![undefined, String(port)].includes(expanded(asked.value ?? '', env))) {
    found.push({
      path: `${path}.args`,
      value: `${asked.flag} ${asked.value ?? ''}`,
      message: `is not the port that the Service leads to, which is ${String(port)}`,
      remedy: 'Set port instead.',
    });
  }
  const served = said(table, 'servedName', given);
  if (served?.value !== undefined && expanded(served.value, env) === undefined) {
    found.push({
      path: `${path}.args`,
      value: `${served.flag} ${served.value}`,
      message:
        'names the model by a variable that the operator does not know, so the engine is asked by the names of clients',
      remedy: 'Write the name, or the value of the variable.',
    });
  }
  // Of an engine without a table of arguments, nobody knows what they mean.
  if (facts.arguments.length === 0) return found;
  const joined = args.find((arg) => FLAG_AND_VALUE.test(arg));
  if (joined !== undefined) {
    found.push({
      path: `${path}.args`,
      value: `${joined.split(/\s/, 1).join('')} …`,
      message: 'is one argument with a space in it, which the engine does not know',
      remedy: 'Write the flag and its value as two entries.',
    });
  }
  const refusing = { message: 'makes the engine refuse every request: the gateway sends no key', remedy: 'Remove it.' };
  if (isSaid(KEYS.flags, given)) found.push({ path: `${path}.args`, ...refusing });
  const variable = env.findIndex(({ name }) => KEYS.variables.some((key) => key === name));
  if (variable !== -1) found.push({ path: `${path}.env`, value: env[variable]?.name, ...refusing });
  return found;
}

/** A tag or a digest in the last part of a repository; before that, a colon is that of the registry's port. */
const TAG_IN_REPOSITORY = /[:@][^/]*$/;

function imageNotice(path: string, { image }: EffectiveOpen, { facts }: KnownEngine): Problem[] {
  const isTagged = [image?.tag, image?.digest].some((part) => part !== undefined && part !== '');
  if (TAG_IN_REPOSITORY.test(image?.repository ?? '')) {
    // Without another tag behind it, it is a name that the kubelet takes.
    if (facts.image === undefined && !isTagged) return [];
    const message = 'has a tag or a digest in it, and another one is put behind it, so no node can pull it';
    const remedy = 'Write them as image.tag or image.digest.';
    return [{ path: `${path}.image.repository`, value: image?.repository, message, remedy }];
  }
  if (facts.image !== undefined || isTagged) return [];
  const message = 'is not set, so the pods run whatever is the latest image when they start';
  return [{ path: `${path}.image.tag`, message, remedy: 'Set a tag or a digest.' }];
}

function askedRevision(path: string, { engineRevision }: EffectiveOpen, { table }: KnownEngine): Problem[] {
  return unknownRevision(`${path}.engineRevision`, engineRevision, newestRevision(table));
}

function unknownRevision(path: string, value: Application['engineRevision'], newest: number): Problem[] {
  if (value === undefined || value === 'operator' || Number(value) <= newest) return [];
  const message = `is not known to this operator, whose newest, ${String(newest)}, is used`;
  return [{ path, value, message, remedy: 'Use a newer operator.' }];
}

/** Revisions from a newer operator: of the gateway, and those that a stack keeps. */
export function revisionNotices(
  { gateway, applications }: EffectiveSpec,
  { revisions = {} }: Pick<FrozenDefaults, 'revisions'>,
): Problem[] {
  // What names its revision does not use the one that is kept.
  const engines = Object.values(applications).flatMap((application) =>
    isReader(application) || application.engineRevision !== undefined ? [] : [application.engine],
  );
  const newest = new Map<string, number>(
    engines.map((engine) => [engine, newestRevision(ENGINE_TABLES[engine])] as const),
  );
  if (gateway.kind === 'onwards' && gateway.revision === undefined) newest.set('onwards', ONWARDS_REVISIONS.length);
  const asked = gateway.kind === 'onwards' ? gateway.revision : undefined;
  const unknown = unknownRevision('spec.gateway.revision', asked, ONWARDS_REVISIONS.length);
  const ahead = [...newest].filter(([name, number]) => (ownValue(revisions, name) ?? 0) > number);
  if (ahead.length === 0) return unknown;
  const which = names(ahead, undefined, ([name]) => name);
  return [
    ...unknown,
    {
      path: 'status.defaults.revisions',
      message: `comes from a newer operator for ${which}, and this one uses the newest that it has`,
      remedy: 'Upgrade this operator.',
    },
  ];
}
