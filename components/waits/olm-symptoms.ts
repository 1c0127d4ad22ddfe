import { condition, type Condition } from '../../packages/kube/conditions.ts';
import { shortened } from '../../packages/lib/message.ts';
import { describeObject, type KubernetesObject } from '../../packages/kube/object.ts';
import { definedOnly } from '../../packages/lib/values.ts';
import { reportedBundle } from '../olm/reported-bundle.ts';
import { LASTING_MS, SLOW_MS, steady, type Symptom } from './symptom.ts';
import { webhookTrouble } from './webhook.ts';

/** OLM writes up to 32 kilobytes; the beginning says what was tried, the end why it failed. */
const MESSAGE_LIMIT = 600;

/** Reasons of `Progressing` under which OLM is done, or at work without trouble. */
const WELL: ReadonlySet<string> = new Set(['Succeeded', 'RollingOut']);

type Remedies = readonly (readonly [RegExp, string])[];

/** What to do about what OLM says; the first that matches counts. */
const REMEDIES: Remedies = [
  [
    /no bundles found|no package|no catalogs/i,
    '`fleet catalog show` lists what the catalog offers; `operators` says which major, channel and version are wanted.',
  ],
  [
    /catalogd-service/,
    'operator-controller must reach catalogd: look at its pods, and at NetworkPolicies around them.',
  ],
  [
    /cache for catalog .* not found/,
    'operator-controller reads a catalog once catalogd serves it, and retries by itself: look at the ClusterCatalog.',
  ],
  [/x509|certificate/i, 'OLM trusts its own certificate authorities and those of `registryCa`.'],
  [/unauthorized|denied|authentication required/i, 'OLM pulls with the credentials of `pullSecret`.'],
  [/manifest unknown|name unknown|not found/i, 'Push the image, or name one that the registry has.'],
  [
    /no such host|timeout|connection refused|deadline exceeded|proxyconnect/i,
    'OLM’s controllers must reach the registry: look at DNS, NetworkPolicies and `proxy`.',
  ],
];

/** Only extensions are installed with somebody's rights. Quotas and admission refuse with `forbidden` as well. */
const EXTENSION_REMEDIES: Remedies = [
  [
    /pre-authorization failed|cannot \w+ resource|attempting to grant RBAC/i,
    'Its installer has the rights that the bundles of the last `up` need: run `up` again if the catalog has changed since, or find out who has taken them away.',
  ],
  ...REMEDIES,
];

/** Why catalogd does not serve a catalog, in its own words. */
export function catalogSymptom(catalog: KubernetesObject): Symptom | undefined {
  return said(catalog, troubled(catalog), REMEDIES);
}

/** Why OLM does not install an extension, in its own words; or that it reports another version than the expected one. */
export function extensionSymptom(extension: KubernetesObject, version: string | undefined): Symptom | undefined {
  const trouble = troubled(extension);
  if (trouble !== undefined) return said(extension, trouble, EXTENSION_REMEDIES);
  const installed = reportedBundle(extension)?.version;
  if (condition(extension, 'Progressing')?.reason !== 'Succeeded' || installed === undefined) return undefined;
  if (version === undefined || installed === version) return undefined;
  return {
    id: `installed ${installed}`,
    object: describeObject(extension),
    message: `OLM reports ${installed} as installed; ${version} is expected`,
    remedy:
      'The catalog that the cluster serves is not the one that this program has read: `fleet catalog show` lists what it offers.',
    patienceMs: SLOW_MS,
  };
}

/** What OLM says about the newest spec, where it is not well. */
function troubled(object: KubernetesObject): Condition | undefined {
  const progressing = condition(object, 'Progressing');
  if (progressing === undefined || WELL.has(progressing.reason)) return undefined;
  return (progressing.observedGeneration ?? 0) < (object.metadata.generation ?? 0) ? undefined : progressing;
}

function said(object: KubernetesObject, trouble: Condition | undefined, remedies: Remedies): Symptom | undefined {
  if (trouble === undefined) return undefined;
  const { reason, message } = trouble;
  const remedy = remedies.find(([pattern]) => pattern.test(message))?.[1];
  return definedOnly({
    id: `${reason} ${steady(message)}`,
    object: describeObject(object),
    message: `${reason}: ${shortened(message, MESSAGE_LIMIT)}`,
    remedy,
    ...webhookTrouble(message),
    patienceMs: LASTING_MS,
  });
}
