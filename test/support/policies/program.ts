import assert from 'node:assert/strict';
import type { Policies, PolicyProviderResource, PolicyResource, StackValidationArgs } from '@pulumi/policy';
import type { Facts } from '../../../policies/knowledge/facts.ts';
import { policiesOf } from '../../../policies/pulumi/policies.ts';
import type { Rule } from '../../../policies/knowledge/rule.ts';
import { NO_FACTS } from './support.ts';

/** What a resource of a program has besides the object. */
export interface Declaration {
  /** Pulumi's type, where it does not follow from the object. */
  readonly type?: string;
  /** A field that is known only after the update. */
  readonly unknownKey?: string;
  readonly provider?: PolicyProviderResource;
  readonly parent?: PolicyResource;
}

/** A resource as Pulumi hands it to a policy; reading a value that is not known throws. */
export function resource(object: object, declaration: Declaration = {}): PolicyResource {
  const { unknownKey, provider, parent } = declaration;
  const { apiVersion = '', kind = '', metadata } = object as Partial<Named>;
  const { type = `kubernetes:${apiVersion}:${kind}` } = declaration;
  const name = metadata?.name ?? 'unnamed';
  const props = new Proxy(object, {
    get: (target, key) => {
      if (key === unknownKey) throw new Error(`.${unknownKey} can't be known during preview`);
      return Reflect.get(target, key) as unknown;
    },
  });
  const opts = { protect: false, ignoreChanges: [], aliases: [], additionalSecretOutputs: [] };
  const customTimeouts = { createSeconds: 0, updateSeconds: 0, deleteSeconds: 0 };
  return {
    type,
    name,
    urn: `urn:${name}`,
    props,
    opts: { ...opts, customTimeouts },
    ...(provider === undefined ? {} : { provider }),
    ...(parent === undefined ? {} : { parent }),
    dependencies: [],
    propertyDependencies: {},
    isType: () => false,
    asType: () => undefined,
  };
}

interface Named {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** The provider of a cluster. */
export function providerOf(kubeconfig: string | undefined): PolicyProviderResource {
  const props = kubeconfig === undefined ? {} : { kubeconfig };
  return { type: 'pulumi:providers:kubernetes', name: 'cluster', urn: `urn:${kubeconfig ?? 'cluster'}`, props };
}

/** A program's patch of an existing object. */
export function patch(object: object): PolicyResource {
  const { apiVersion, kind } = object as Named;
  return resource(object, { type: `kubernetes:${apiVersion.includes('/') ? '' : 'core/'}${apiVersion}:${kind}Patch` });
}

const SHARED: Pick<StackValidationArgs, 'stackTags' | 'getConfig'> = { stackTags: new Map(), getConfig: noSettings };

function noSettings(): never {
  return {} as never;
}

function notApplicable(): never {
  throw new Error('no policy of the pack calls this');
}

/** Runs a policy over a program, and returns its reports with their subjects. */
export async function run(
  policies: Policies,
  name: string,
  resources: readonly PolicyResource[],
): Promise<[string, string | undefined][]> {
  const reported: [string, string | undefined][] = [];
  const report = (message: string, urn?: string): void => void reported.push([message, urn]);
  const policy = policies.find((candidate) => candidate.name === name);
  assert.ok(policy, name);
  if ('validateStack' in policy) {
    await policy.validateStack({ ...SHARED, notApplicable, resources: [...resources] }, report);
    return reported;
  }
  const { validateResource } = policy;
  assert.ok(typeof validateResource === 'function');
  for (const one of resources)
    await validateResource({ ...SHARED, ...one, asType: () => undefined, notApplicable }, report);
  return reported;
}

/** What a rule refuses in a program. */
export async function refused(
  rule: Rule,
  resources: readonly PolicyResource[],
  facts: Facts = NO_FACTS,
): Promise<string[]> {
  const policies = policiesOf([rule], { stage: 'prod', load: () => Promise.resolve(facts), docs: 'docs.md' });
  return (await run(policies, rule.name, resources)).map(([message]) => message);
}

/** What a rule leaves unjudged in a program. */
export async function unjudged(
  rule: Rule,
  resources: readonly PolicyResource[],
  facts: Facts = NO_FACTS,
): Promise<string[]> {
  const policies = policiesOf([rule], { stage: 'prod', load: () => Promise.resolve(facts), docs: 'docs.md' });
  return (await run(policies, 'known-in-preview', resources)).map(([message]) => message);
}
