/*
 * Prints what the code makes for the API group of this process, as JSON. The group is read once, when a process starts, so a
 * test that wants another one runs this file.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import yaml from 'js-yaml';
import { describeKept } from '../../../cli/commands/down.ts';
import { demoStack } from '../../../cli/demo/demo-stack.ts';
import { main } from '../../../cli/main.ts';
import { readDefinitions } from '../../../components/api/definitions.ts';
import { stackRoles } from '../../../components/api/stack-roles.ts';
import { buildBundle } from '../../../components/bundle/bundle.ts';
import { policySpec } from '../../../components/guards/policy.ts';
import { stackGuard } from '../../../components/guards/stack-guard.ts';
import { manifestOf } from '../../../components/inference-stack/manifest.ts';
import { parseWatches } from '../../../controller/src/reconcile/watches.ts';
import { program } from '../../../infra/program.ts';
import { apiFiles } from '../../../packages/api/generate/outputs.ts';
import { checkout } from '../../../packages/lib/checkout.ts';
import { ObjectReader } from '../../../policies/knowledge/objects/object-reader.ts';
import { isOurDefinition } from '../../../policies/knowledge/objects/definition.ts';
import { isStack } from '../../../policies/knowledge/stacks/stack.ts';
import { listOf, withFakeApi, type Answers } from '../kubernetes/fake-api.ts';
import { OLM_MANIFEST } from '../olm/olm-manifest.ts';
import { recordingIo } from '../people/recording-io.ts';
import { runProgram, type Registered } from '../pulumi/pulumi-program.ts';

const DIGEST = `sha256:${'d'.repeat(64)}`;
const CREATED = new Date('2026-01-01T00:00:00Z');

/** What is made for a group, by the part of the code that makes it. */
export interface Made {
  /** Files of `make generate`, by their paths. */
  readonly generated: Readonly<Record<string, string>>;
  readonly definitions: readonly { readonly metadata: { readonly name: string } }[];
  readonly roles: readonly { readonly name: string; readonly rules: readonly Rule[] }[];
  /** Files of an operator's bundle, by their paths. */
  readonly bundle: Readonly<Record<string, string>>;
  /** The spec of the admission policy about stacks. */
  readonly guard: unknown;
  /** The groups of the kinds that the operator watches. */
  readonly watched: readonly string[];
  /** A stack of a Pulumi program. */
  readonly declared: { readonly apiVersion: string };
  /** The stack that `make up` shows. */
  readonly demo: { readonly apiVersion: string };
  /** What `make down` says. */
  readonly kept: string;
  /** What the whole Pulumi program registers. */
  readonly registered: readonly Pick<Registered, 'type' | 'name' | 'inputs'>[];
  /** What commands print about a stack of this group, by their names. */
  readonly printed: Readonly<Record<'render' | 'explain' | 'status', string>>;
  /** What `fleet render` says to a stack of a group that nobody has. */
  readonly refused: string;
  /** Whether rules take the CRD and the stack for the fleet's. */
  readonly judged: readonly boolean[];
}

interface Rule {
  readonly apiGroups: readonly string[];
}

async function made(): Promise<Made> {
  const definitions = await readDefinitions(true);
  const controllerImage = `registry.example/operator@${DIGEST}`;
  const { files } = buildBundle({ version: '3.0.0', crdVersion: 'v1beta1', controllerImage, created: CREATED });
  const metadata = { namespace: 'team-a', labels: { operatorVersion: 'v3' } };
  const declared = manifestOf('chat', { metadata, spec: EXAMPLE });
  const read = (file: string): string => readFileSync(join(checkout, file), 'utf8');
  const example = 'examples/single-major/stack.yaml';
  const image = { repository: 'registry.example/demo', tag: 'checkout' };
  return {
    generated: apiFiles(),
    definitions,
    roles: definitions.flatMap(stackRoles),
    bundle: Object.fromEntries(files),
    guard: policySpec(stackGuard([1])),
    watched: parseWatches(read('controller/watches.yaml'), 'watches.yaml').map(({ type }) => type.group),
    declared,
    demo: demoStack(read(example), example, { gateway: image, application: image }),
    kept: describeKept({ environment: 'prod', file: { embedded: false, kubeContext: 'production' }, env: {} }),
    registered: await registered(),
    printed: {
      render: await fleet('render', declared),
      explain: await fleet('explain', declared),
      status: await status(declared),
    },
    refused: await fleet('render', { ...declared, apiVersion: 'example.com/v1beta1' }),
    judged: [
      ...definitions.map((definition) =>
        isOurDefinition(new ObjectReader({ ...definition, kind: 'CustomResourceDefinition' })),
      ),
      isStack(new ObjectReader(declared)),
    ],
  };
}

/** Enough for a stack with an annotation that says how a claim is deleted, and one with the hash of a configuration. */
const EXAMPLE = { applications: { llama: { modelCache: { size: '1Gi' }, gpu: { count: 1 } } } };

/** What the program of this repository registers for a cluster that does not exist yet. */
async function registered(): Promise<Made['registered']> {
  const directory = mkdtempSync(join(tmpdir(), 'made-in-group-'));
  try {
    writeFileSync(join(directory, 'olm.yaml'), OLM_MANIFEST);
    const settings = {
      kubeconfig: '/nonexistent/kubeconfig',
      kubeContext: 'staging',
      olm: JSON.stringify({ version: '1.11.0', manifest: join(directory, 'olm.yaml') }),
      catalog: JSON.stringify({ source: 'checkout', template: 'catalog/operator_catalog_dev.yaml' }),
      images: JSON.stringify({ repository: 'registry.example/fleet', base: 'registry.example/node:24' }),
      api: JSON.stringify({ modelOrchestra: true }),
      operators: JSON.stringify([{ major: 3, channel: 'fast' }]),
    };
    const entries = Object.entries(settings).map(([key, value]) => [`inference-stack-fleet:${key}`, value] as const);
    const silent = (): void => undefined;
    const log = { info: silent, warn: silent };
    const context = { environment: 'test', checkout, config: Object.fromEntries(entries), preview: true, now: CREATED };
    const { resources } = await runProgram(
      async () => {
        await program({ ...context, log });
      },
      ({ type }) => (type === 'docker-build:index:Image' ? { digest: DIGEST } : {}),
    );
    return resources.map(({ type, name, inputs }) => ({ type, name, inputs }));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** What a command prints about a stack in a file. */
async function fleet(command: string, stack: object): Promise<string> {
  const io = recordingIo({ 'stack.yaml': yaml.dump(stack) });
  await main([command, '-f', 'stack.yaml'], io);
  return io.stdout() + io.stderr();
}

/** What `fleet status` prints of a cluster that has the stack and, as far as it says, nothing else. */
async function status(stack: { readonly apiVersion: string }): Promise<string> {
  const answers: Answers = { [`/apis/${stack.apiVersion}/inferencestacks`]: listOf(stack) };
  return withFakeApi(answers, async (kubeconfig) => {
    const io = recordingIo();
    await main(['status', '--kubeconfig', kubeconfig], io);
    return io.stdout() + io.stderr();
  });
}

process.stdout.write(JSON.stringify(await made()));
