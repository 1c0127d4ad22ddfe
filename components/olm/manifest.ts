import yaml from 'js-yaml';
import { isObject } from '../../packages/lib/json.ts';
import { refuse, type Problem } from '../../packages/lib/problem.ts';
import { CATALOGD, CONTROLLER } from './existing.ts';

/** An object of a manifest. Only what a transformation touches is typed; the rest passes through untouched. */
export interface ManifestObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

/** The part of a Deployment that may have to change for OLM to run in this cluster. */
export interface ManifestDeployment extends ManifestObject {
  readonly spec: {
    readonly replicas?: number;
    readonly template: { readonly spec: PodSpec; readonly [field: string]: unknown };
    readonly [field: string]: unknown;
  };
}

export interface PodSpec {
  readonly containers: readonly Container[];
  readonly volumes?: readonly Volume[];
  readonly imagePullSecrets?: readonly { readonly name: string }[];
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly tolerations?: readonly Toleration[];
  readonly [field: string]: unknown;
}

/** A node taint that a pod tolerates. */
export interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly [field: string]: unknown }[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[];
  readonly resources?: unknown;
  readonly [field: string]: unknown;
}

export interface Volume {
  readonly name: string;
  readonly secret?: {
    readonly secretName: string;
    readonly items?: readonly { readonly key: string; readonly path: string; readonly mode?: number }[];
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
}

/** A manifest, and where it came from, for messages. */
export interface Manifest {
  readonly objects: readonly ManifestObject[];
  readonly source: string;
}

/** What every OLM v1 manifest contains. */
const EXPECTED = [
  'CustomResourceDefinition clustercatalogs.olm.operatorframework.io',
  'CustomResourceDefinition clusterextensions.olm.operatorframework.io',
  `Deployment ${CATALOGD.name}`,
  `Deployment ${CONTROLLER.name}`,
];

/** The objects of a released OLM manifest; refuses a file that is something else. */
export function parseManifest(text: string, source: string): readonly ManifestObject[] {
  const objects = yaml.loadAll(text).filter((document) => document !== null && document !== undefined);
  const problems: Problem[] = objects.flatMap((object, index) =>
    isManifestObject(object)
      ? []
      : [{ object: source, path: `document ${index + 1}`, message: 'is not a Kubernetes object' }],
  );
  refuse(problems);
  const parsed = objects.filter(isManifestObject);
  const names = new Set(parsed.map((object) => `${object.kind} ${object.metadata.name}`));
  refuse(
    EXPECTED.filter((name) => !names.has(name)).map((name) => ({
      object: source,
      path: name,
      message: 'is missing',
      remedy: 'Name the manifest of an OLM v1 release, such as operator-controller.yaml or manifests/standard.yaml.',
    })),
  );
  return parsed;
}

/** Narrows to the two controllers of OLM. */
export function isDeployment(object: ManifestObject): object is ManifestDeployment {
  return object.kind === 'Deployment' && object.apiVersion === 'apps/v1';
}

/** The controllers of OLM, by the names of the settings that replace their images. */
export type OlmController = 'catalogd' | 'operatorController';

/** Which of OLM's controllers a Deployment runs. */
export function controllerOf({ metadata }: ManifestDeployment): OlmController {
  return metadata.name.startsWith('catalogd') ? 'catalogd' : 'operatorController';
}

/** The namespace that a manifest runs its controllers in. */
export function namespaceOf(objects: readonly ManifestObject[]): string {
  return objects.find(isDeployment)?.metadata.namespace ?? 'default';
}

/** The images that a manifest runs its controllers from. */
export function manifestImages(objects: readonly ManifestObject[]): ReadonlyMap<OlmController, string> {
  const images = objects
    .filter(isDeployment)
    .flatMap((deployment) =>
      deployment.spec.template.spec.containers.map(({ image }): [OlmController, string] => [
        controllerOf(deployment),
        image,
      ]),
    );
  return new Map(images);
}

/** A Deployment with another pod. */
export function mapPod(deployment: ManifestDeployment, change: (pod: PodSpec) => PodSpec): ManifestDeployment {
  const { spec } = deployment;
  return { ...deployment, spec: { ...spec, template: { ...spec.template, spec: change(spec.template.spec) } } };
}

function isManifestObject(value: unknown): value is ManifestObject {
  if (!isObject(value)) return false;
  const { apiVersion, kind, metadata } = value as Partial<ManifestObject>;
  return typeof apiVersion === 'string' && typeof kind === 'string' && typeof metadata?.name === 'string';
}
