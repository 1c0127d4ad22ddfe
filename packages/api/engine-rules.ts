import { isOpenEngine, OPEN_ENGINES } from './engine.ts';
import { gatewayKindOf, unsuited } from './gateway-kind.ts';
import { applicationRule, hasInherited, inherited, rule, type Get, type Rule } from './rule.ts';
import type { Application, InferenceStackSpec, Model, OpenEngine } from './types.ts';

/** Rules about engines, models and gateways, which no application can break alone: the template counts, too. */

const ENGINE = inherited('engine', 'takeoff');
const OPEN = isOneOf(OPEN_ENGINES);

/** Whether the model has a field. An application's model replaces the template's as a whole. */
function modelHas(field: keyof Model): string {
  const own = 'self.applications[name].?model';
  return `(${own}.hasValue() ? ${own}.?${field}.hasValue() : self.?applicationTemplate.?model.?${field}.hasValue())`;
}

/** Engines that have to be told which model to load. */
const LOADING: readonly OpenEngine[] = ['vllm', 'sglang', 'llamacpp'];

/** Engines that can fetch a model from an address. */
const FETCHING: readonly OpenEngine[] = ['llamacpp', 'openai'];

const SOURCES = ['name', 'path', 'url', 'image'] as const;

/** Fields of an application, by their paths from the spec. */
function inApplications(field: string): string[] {
  return [`applications.*.${field}`, `applicationTemplate.${field}`];
}

export const ENGINE_RULES: readonly Rule[] = [
  ...[
    applicationRule(
      'vllm, sglang and llamacpp need model, with name, path, url or image',
      `!(${isOneOf(LOADING)}) || ${hasInherited('model')}`,
      (get) => !isLoading(engineOf(get)) || get(({ model }) => model) !== undefined,
    ),
    applicationRule(
      'openai needs image.repository, since it stands for any image that serves the OpenAI API',
      `${ENGINE} != 'openai' || ${hasInherited('image.?repository')}`,
      (get) => engineOf(get) !== 'openai' || get(({ image }) => image?.repository) !== undefined,
    ),
    applicationRule(
      'readerConfig is for takeoff and external: vllm, sglang, llamacpp and openai use model, args and env',
      `!(${OPEN}) || !${hasInherited('readerConfig')}`,
      (get) => !isOpenEngine(engineOf(get)) || get(({ readerConfig }) => readerConfig) === undefined,
    ),
    applicationRule(
      'model.url is for llamacpp and openai: vllm and sglang use model.name, path or image',
      `!(${isOneOf(LOADING.filter((engine) => !FETCHING.includes(engine)))}) || !${modelHas('url')}`,
      (get) => {
        const engine = engineOf(get);
        return !isLoading(engine) || FETCHING.includes(engine) || get(({ model }) => model)?.url === undefined;
      },
    ),
    applicationRule(
      'model.revision is not for llamacpp, which always loads the newest: use model.url with the revision in it',
      `${ENGINE} != 'llamacpp' || !${modelHas('revision')}`,
      (get) => engineOf(get) !== 'llamacpp' || get(({ model }) => model)?.revision === undefined,
    ),
    applicationRule(
      'scaling of vllm, sglang, llamacpp and openai needs scaling.spec.triggers, since Onwards tells KEDA nothing',
      `!(${OPEN}) || !${inherited('scaling.enabled', false)} || ${hasInherited('scaling.?spec.?triggers')}`,
      (get) =>
        !isOpenEngine(engineOf(get)) ||
        get(({ scaling }) => scaling?.enabled) !== true ||
        get(({ scaling }) => scaling?.spec?.triggers) !== undefined,
    ),
  ].map((about) => ({ ...about, onlyWith: inApplications('engine') })),
  {
    ...applicationRule(
      'model is for vllm, sglang, llamacpp and openai: set engine to one of them, or use readerConfig.modelName',
      `${OPEN} || !${hasInherited('model')}`,
      (get) => isOpenEngine(engineOf(get)) || get(({ model }) => model) === undefined,
    ),
    onlyWith: inApplications('model'),
  },
  {
    ...rule(
      'InferenceStackSpec',
      'all applications must suit the gateway: open engines (vllm, sglang, llamacpp, openai) suit onwards, takeoff and ' +
        'external suit takeoff; make two stacks of a mixed one',
      `!has(self.applications) || [${isOnwardsCel()}].all(onwards, self.applications.all(name, (${OPEN}) == onwards))`,
      (spec: InferenceStackSpec) => unsuited(spec).length === 0,
    ),
    field: 'applications',
    onlyWith: [...inApplications('engine'), 'gateway.kind'],
    offenders: unsuited,
  },
  {
    ...rule(
      'InferenceStackSpec',
      'gateway.config is for the gateway takeoff: Onwards is configured by its env',
      `!has(self.gateway) || !has(self.gateway.config) || !(${isOnwardsCel()})`,
      (spec: InferenceStackSpec) => spec.gateway?.config === undefined || gatewayKindOf(spec) !== 'onwards',
    ),
    field: 'gateway.config',
    onlyWith: [...inApplications('engine'), 'gateway.kind'],
  },
  rule(
    'Model',
    'model must have exactly one source: name, path, url or image',
    `[${SOURCES.map((source) => `has(self.${source})`).join(', ')}].filter(given, given).size() == 1`,
    (model: Model) => SOURCES.filter((source) => model[source] !== undefined).length === 1,
  ),
  rule(
    'Model',
    'revision and tokenSecret belong to a name on Hugging Face: set name, or remove them',
    'has(self.name) || !(has(self.revision) || has(self.tokenSecret))',
    ({ name, revision, tokenSecret }: Model) =>
      name !== undefined || (revision === undefined && tokenSecret === undefined),
  ),
];

/** The API server can estimate what a look at the applications costs only where it sees the field itself, and so its bound. */
function isOnwardsCel(): string {
  const any = `has(self.applications) && self.applications.exists(name, ${OPEN})`;
  return `self.?gateway.?kind.orValue('') == 'onwards' || (self.?gateway.?kind.orValue('') == '' && ${any})`;
}

function isOneOf(engines: readonly string[]): string {
  return `${ENGINE} in [${engines.map((engine) => `'${engine}'`).join(', ')}]`;
}

function engineOf(get: Get): Application['engine'] {
  return get(({ engine }) => engine);
}

function isLoading(engine: Application['engine']): engine is OpenEngine {
  return LOADING.some((loading) => loading === engine);
}
