import type { Model, OpenEngine } from '../../packages/api/types.ts';
import { listAt, textOf } from '../../packages/lib/json.ts';
import { code, table } from '../../packages/lib/markdown.ts';
import type { ArgumentFact, EngineFacts, EngineSettings, EngineTable } from '../../packages/render/engines/table.ts';
import { ENGINE_TABLES } from '../../packages/render/engines/tables.ts';
import { ONWARDS_REVISIONS } from '../../packages/render/onwards/table.ts';
import { environment, podRows, present, type Rows } from './rows.ts';
import { engineSample, gatewaySample, type Sample } from './sample.ts';

const INTRODUCTION = `# Engines

<!-- Written by \`make generate\` from packages/render/engines and packages/render/onwards. Do not edit. -->

What the operator fills in for open engines and for their gateway, by revision. A stack can replace all of it: \`image\`, \`env\`,
\`resources\`, probes and security contexts by their own fields, arguments by \`args\`. An argument in \`args\` takes the place of the
operator's, in any of its spellings. \`command\` takes the place of the command and of all arguments.

A stack keeps the revision that it started with, so that an upgrade of the operator restarts nothing.
\`engineRevision: 2\` names a revision, and \`engineRevision: operator\` follows the newest. \`status.defaults.revisions\` shows what is kept.`;

const COMMON = `## What is the same for all

The writable folders live as long as the pod. A models volume or cache is mounted at \`/mnt/models\`, an image that holds a model at
\`/mnt/model\`.`;

/** Where a user says what a table calls a setting. */
const SETTINGS: Readonly<Record<keyof EngineSettings, string>> = {
  name: '`model.name`',
  revision: '`model.revision`',
  path: '`model.path`, `model.image`',
  url: '`model.url`',
  download: 'a file for `model.url`, beside other downloads',
  servedName: "the application's name",
  port: '`port`',
  gpus: '`gpu.count`, or GPUs in `resources`',
  threads: 'whole processors in `resources`: the limit, else the request, else 1',
  promptCache: 'a part of the memory in `resources`, in MiB',
  shutdown: '`terminationGracePeriodSeconds`, less the drain',
};

/** Settings that say which model is loaded. */
const SOURCES = ['name', 'revision', 'path', 'url'] as const;

/** One revision of an engine, or of the gateway, as the page shows it. */
interface Entry {
  readonly title: string;
  readonly revision: number;
  readonly rows: Rows;
  readonly below: readonly string[];
}

/** The reference page of the open engines and of their gateway: what their tables say, and what their pods become. */
export function enginesPage(): string {
  const engines = [
    ...Object.values(ENGINE_TABLES).map((engine) =>
      engine.revisions.map((facts, index) => engineEntry(engine, facts, index + 1)),
    ),
    ONWARDS_REVISIONS.map((_, index) => gatewayEntry(index + 1)),
  ];
  const common = sharedRows(engines.flat().map(({ rows }) => rows));
  return [
    INTRODUCTION,
    COMMON,
    table(['What', 'Unless the stack says otherwise'], [...common]),
    ...engines.flatMap((revisions) => [
      `## ${revisions[0]?.title ?? ''}`,
      ...revisions.toReversed().flatMap((entry) => section(entry, common)),
    ]),
    '',
  ].join('\n\n');
}

function section({ revision, rows, below }: Entry, common: Rows): string[] {
  const own = [...rows].filter(([name]) => !common.has(name));
  return [`### Revision ${String(revision)}`, table(['What', 'Unless the stack says otherwise'], own), ...below];
}

function engineEntry({ engine, title }: EngineTable, facts: EngineFacts, revision: number): Entry {
  const plain = engineSample(engine, revision);
  return {
    title: `${code(engine)}: ${title}`,
    revision,
    rows: new Map([
      ...present({
        Image: facts.image === undefined ? 'none of its own' : imageText(facts.image),
        'Image with GPUs': imageText(facts.gpuImage),
        GPUs: gpusText(facts),
        Command: facts.command === undefined ? "the image's own" : code(facts.command.join(' ')),
      }),
      ...podRows(plain),
    ]),
    below: [argumentsText(facts.arguments), environmentText(engine, revision, plain), ...cannotText(facts.cannot)],
  };
}

function environmentText(engine: OpenEngine, revision: number, plain: Sample): string {
  const always = environment(plain.container);
  const added = (model: Model): string[] =>
    environment(engineSample(engine, revision, { model }).container).filter((variable) => !always.includes(variable));
  const parts = {
    Environment: always,
    'With `model.name` also': added({ name: 'NAME', tokenSecret: { name: 'SECRET' } }),
    'With `model.path` or `model.image` also': added({ path: '/MODEL' }),
  };
  return Object.entries(parts)
    .filter(([, variables]) => variables.length > 0)
    .map(([name, variables]) => `${name}: ${variables.join(', ')}.`)
    .join('\n\n');
}

function gatewayEntry(revision: number): Entry {
  const sample = gatewaySample(revision);
  const { container } = sample;
  return {
    title: '`onwards`: the gateway Onwards',
    revision,
    rows: new Map([
      ['Image', code(textOf(container['image']))],
      ['Command', "the image's own"],
      ['Arguments', code(listAt(container, 'args').map(textOf).join(' '))],
      ...podRows(sample),
    ]),
    below: [
      `Environment: ${environment(container).join(', ')}.`,
      'The container `routes` beside it runs the same image, which has to have a shell with `cat` and `sleep`. It carries changes of the ' +
        'table of routes to the gateway.',
    ],
  };
}

function argumentsText(facts: readonly ArgumentFact[]): string {
  if (facts.length === 0) return 'The operator adds no arguments: `args` are all that it gets.';
  const taken = new Set(facts.map(({ setting }) => setting));
  const ignored = SOURCES.filter((source) => !taken.has(source)).map((source) => SETTINGS[source]);
  const rows = table(
    ['From', 'Argument', 'Other spellings'],
    facts.map(({ setting, value, flags, abbreviations = [] }) => {
      const shown = value ?? (setting === undefined ? '' : '…');
      const [flag = '', ...others] = [...flags, ...abbreviations];
      const from = setting === undefined ? 'always' : SETTINGS[setting];
      return [from, code(`${flag} ${shown}`.trim()), others.map(code).join(', ')];
    }),
  );
  const below = [
    ...facts.flatMap(({ flags: [flag = ''], unless = [] }) =>
      unless.length === 0 ? [] : [`${code(flag)} is left out beside ${unless.map(code).join(', ')}.`],
    ),
    ...(ignored.length === 0 ? [] : [`It has no argument for ${ignored.join(' and ')}.`]),
  ];
  return [rows, ...below].join('\n\n');
}

function gpusText({ gpuVendor, needsGpu }: EngineFacts): string {
  if (gpuVendor === undefined) return '';
  return `${code(gpuVendor)}${needsGpu === true ? ', at least one' : ', or none'}`;
}

function cannotText(cannot: readonly string[] = []): string[] {
  return cannot.length === 0 ? [] : ['What cannot be hardened:', cannot.map((text) => `- ${text}`).join('\n')];
}

function imageText(image: EngineFacts['image']): string {
  return image === undefined ? '' : code(`${image.repository}:${image.tag}`);
}

/** What every revision has, and says in the same words. */
function sharedRows([first = new Map<string, string>(), ...others]: readonly Rows[]): Rows {
  return new Map([...first].filter(([name, text]) => others.every((rows) => rows.get(name) === text)));
}
