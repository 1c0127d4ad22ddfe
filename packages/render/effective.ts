import {
  APPLICATION_DEFAULTS,
  GATEWAY_DEFAULTS,
  ONWARDS_DEFAULTS,
  OPEN_DEFAULTS,
  SERVICE_ACCOUNT_DEFAULTS,
} from '../api/defaults.ts';
import { isOpenEngine } from '../api/engine.ts';
import { gatewayKindOf } from '../api/gateway-kind.ts';
import type {
  Application,
  EnvVar,
  Gateway,
  GatewayKind,
  InferenceStackSpec,
  OpenEngine,
  ReaderEngine,
  ServiceAccount,
} from '../api/types.ts';
import { mergeEnv } from './env.ts';
import { definedOnly, overlay, withoutNulls } from '../lib/values.ts';

/** A type whose fields are there wherever the defaults have them. */
type Filled<T, Defaults> = T & {
  [Field in keyof Defaults & keyof T]-?: Defaults[Field] extends readonly unknown[]
    ? NonNullable<T[Field]>
    : Defaults[Field] extends object
      ? Filled<NonNullable<T[Field]>, Defaults[Field]>
      : NonNullable<T[Field]>;
};

/** An application that takes requests from a gateway of the kind takeoff. */
export type EffectiveReader = Filled<Application, typeof APPLICATION_DEFAULTS> & {
  engine: ReaderEngine;
  env: EnvVar[];
};

/** An application that serves the OpenAI API itself. What it does not set is in the engine's table. */
export type EffectiveOpen = Filled<Omit<Application, 'readerConfig'>, typeof OPEN_DEFAULTS> & {
  engine: OpenEngine;
  env: EnvVar[];
};

export type EffectiveApplication = EffectiveReader | EffectiveOpen;

export type EffectiveTakeoff = Filled<Gateway, typeof GATEWAY_DEFAULTS> & { kind: 'takeoff'; env: EnvVar[] };
export type EffectiveOnwards = Filled<Gateway, typeof ONWARDS_DEFAULTS> & { kind: 'onwards'; env: EnvVar[] };
export type EffectiveGateway = EffectiveTakeoff | EffectiveOnwards;

export function isReader(application: EffectiveApplication): application is EffectiveReader {
  return !isOpenEngine(application.engine);
}

/** A spec with every default filled in and every application merged over the template. */
export interface EffectiveSpec extends Omit<InferenceStackSpec, 'applicationTemplate'> {
  serviceAccount: Filled<ServiceAccount, typeof SERVICE_ACCOUNT_DEFAULTS>;
  gateway: EffectiveGateway;
  applications: Record<string, EffectiveApplication>;
}

const GATEWAY_ENV: EnvVar[] = [{ name: 'TAKEOFF_ADD_READER_ID_SUFFIX', value: 'true' }];

const APPLICATION_ENV: EnvVar[] = [
  { name: 'TAKEOFF_ADD_READER_ID_SUFFIX', value: 'true' },
  { name: 'TAKEOFF_HEADLESS', value: 'true' },
  { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
];

/** A GPU would idle under the default device. */
const GPU_APPLICATION_DEFAULTS = overlay(APPLICATION_DEFAULTS, { readerConfig: { device: 'cuda' } }) as Application;

/** `kept` is the kind of gateway that the stack has, if it has one already. */
export function effectiveSpec(given: InferenceStackSpec, kept?: GatewayKind): EffectiveSpec {
  // null means "not set" everywhere, which the types leave out.
  const spec = withoutNulls(given) as InferenceStackSpec;
  const { applicationTemplate: template = {}, applications = {}, gateway = {}, ...rest } = spec;
  const effective: Record<string, EffectiveApplication> = {};
  for (const name of Object.keys(applications).sort()) {
    const application = applications[name];
    if (application !== undefined) effective[name] = effectiveApplication(template, application);
  }
  return {
    ...rest,
    serviceAccount: { ...SERVICE_ACCOUNT_DEFAULTS, ...spec.serviceAccount },
    gateway: effectiveGateway(gateway, gateway.kind ?? kept ?? gatewayKindOf(spec)),
    applications: effective,
  };
}

function effectiveGateway(gateway: Gateway, kind: GatewayKind): EffectiveGateway {
  if (kind === 'onwards') {
    const merged = overlay(ONWARDS_DEFAULTS, gateway) as Filled<Gateway, typeof ONWARDS_DEFAULTS>;
    return { ...merged, kind, env: mergeEnv(gateway.env) };
  }
  const merged = overlay(GATEWAY_DEFAULTS, gateway) as Filled<Gateway, typeof GATEWAY_DEFAULTS>;
  return { ...merged, kind, env: mergeEnv(gateway.env, GATEWAY_ENV) };
}

function effectiveApplication(template: Application, application: Application): EffectiveApplication {
  const engine = application.engine ?? template.engine ?? 'takeoff';
  return isOpenEngine(engine)
    ? effectiveOpen(engine, template, application)
    : effectiveReader(engine, template, application);
}

function effectiveOpen(engine: OpenEngine, template: Application, application: Application): EffectiveOpen {
  const merged = overlay(overlay(OPEN_DEFAULTS, template), application) as Filled<Application, typeof OPEN_DEFAULTS>;
  return definedOnly({
    ...merged,
    ...modelsOf(application, template),
    engine,
    // Two merged sources would be none.
    model: application.model ?? template.model,
    disruption: application.disruption ?? template.disruption,
    env: mergeEnv(application.env, template.env),
  });
}

function effectiveReader(engine: ReaderEngine, template: Application, application: Application): EffectiveReader {
  const wantsGpu = application.gpu !== undefined || template.gpu !== undefined;
  const defaults = wantsGpu ? GPU_APPLICATION_DEFAULTS : APPLICATION_DEFAULTS;
  const merged = overlay(overlay(defaults, template), application) as Filled<Application, typeof APPLICATION_DEFAULTS>;
  return definedOnly({
    ...merged,
    ...modelsOf(application, template),
    engine,
    disruption: application.disruption ?? template.disruption,
    env: mergeEnv(application.env, template.env, APPLICATION_ENV),
  });
}

interface Models {
  readonly modelsVolume: Application['modelsVolume'] | undefined;
  readonly modelCache: Application['modelCache'] | undefined;
}

/** The place for models is replaced as a whole, as is the budget: two merged volumes would be neither. */
function modelsOf(...layers: Application[]): Models {
  const layer = layers.find(({ modelsVolume, modelCache }) => modelsVolume !== undefined || modelCache !== undefined);
  return { modelsVolume: layer?.modelsVolume, modelCache: layer?.modelCache };
}
