import { APPLICATION_DEFAULTS, GATEWAY_DEFAULTS, SERVICE_ACCOUNT_DEFAULTS } from '../api/defaults.ts';
import type { Application, EnvVar, Gateway, InferenceStackSpec, ServiceAccount } from '../api/types.ts';
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

export type EffectiveApplication = Filled<Application, typeof APPLICATION_DEFAULTS> & { env: EnvVar[] };
export type EffectiveGateway = Filled<Gateway, typeof GATEWAY_DEFAULTS> & { env: EnvVar[] };

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

export function effectiveSpec(given: InferenceStackSpec): EffectiveSpec {
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
    gateway: {
      ...(overlay(GATEWAY_DEFAULTS, gateway) as Filled<Gateway, typeof GATEWAY_DEFAULTS>),
      env: mergeEnv(gateway.env, GATEWAY_ENV),
    },
    applications: effective,
  };
}

function effectiveApplication(template: Application, application: Application): EffectiveApplication {
  const wantsGpu = application.gpu !== undefined || template.gpu !== undefined;
  const defaults = wantsGpu ? GPU_APPLICATION_DEFAULTS : APPLICATION_DEFAULTS;
  const merged = overlay(overlay(defaults, template), application) as Filled<Application, typeof APPLICATION_DEFAULTS>;
  return definedOnly({
    ...merged,
    ...modelsOf(application, template),
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
