import { mock } from 'node:test';
import * as pulumi from '@pulumi/pulumi';

/** A resource as the program registered it. */
export interface Registered {
  readonly type: string;
  readonly name: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly options: pulumi.CustomResourceOptions;
}

export interface ProgramResult {
  readonly resources: readonly Registered[];
  /** The one resource of a type and name, for a Kubernetes object that of the object; fails the test when there is none. */
  find(type: string, name: string): Registered;
}

/** Outputs that a provider would add to a resource's inputs. */
export type ProviderOutputs = (resource: pulumi.runtime.MockResourceArgs) => Readonly<Record<string, unknown>>;

/**
 * Runs a program against Pulumi's mocks until all its resources are registered. Every registration is recorded, and an
 * unexpected call of a provider function fails the test.
 */
export async function runProgram(
  program: () => void | Promise<void>,
  providerOutputs: ProviderOutputs = () => ({}),
  { preview = false }: { readonly preview?: boolean } = {},
): Promise<ProgramResult> {
  const resources: Registered[] = [];
  const options = new Map<string, pulumi.CustomResourceOptions>();
  await pulumi.runtime.setMocks(
    {
      newResource(args) {
        const inputs = args.inputs as Record<string, unknown>;
        resources.push({ type: args.type, name: args.name, inputs, options: options.get(key(args)) ?? {} });
        return { id: `${args.name}-id`, state: { ...inputs, ...providerOutputs(args) } };
      },
      call(args) {
        throw new Error(`unexpected call of ${args.token}`);
      },
    },
    'inference-stack-fleet',
    'test',
    preview,
  );
  await pulumi.runtime.runInPulumiStack(async () => {
    // Mocks see only the inputs of a resource; a transformation sees its options as well.
    pulumi.runtime.registerStackTransformation((args) => {
      options.set(key(args), args.opts);
      return undefined;
    });
    await program();
    return {};
  });
  await pulumi.runtime.disconnect();
  return { resources, find: (type, name) => findResource(resources, type, name) };
}

/** What components say while something runs, without a warning in it. */
export async function infoOf(run: () => Promise<unknown>): Promise<readonly string[]> {
  const info = mock.method(pulumi.log, 'info', async () => Promise.resolve());
  try {
    await run();
  } finally {
    info.mock.restore();
  }
  return info.mock.calls.map(({ arguments: [line] }: { readonly arguments: readonly unknown[] }) => String(line));
}

/** The value of an output, inside a program. */
export async function valueOf<T>(output: pulumi.Output<T>): Promise<T> {
  return new Promise((resolve) => {
    output.apply((value) => {
      resolve(value);
    });
  });
}

/** The mark that Pulumi puts on a secret among a resource's inputs. */
const SECRET_MARK = '4dabf18193072939515e22adb298388d';

/** What a secret input holds; fails the test when the input is not secret. */
export function reveal(input: unknown): unknown {
  if (typeof input === 'object' && input !== null && SECRET_MARK in input && 'value' in input) return input.value;
  throw new Error(`not a secret: ${JSON.stringify(input)}`);
}

function key({ type, name }: { readonly type: string; readonly name: string }): string {
  return `${type} ${name}`;
}

/** The name of a Kubernetes object in a cluster; for any other resource, its name in Pulumi. */
export function objectName({ type, name, inputs }: Pick<Registered, 'type' | 'name' | 'inputs'>): string {
  if (!type.startsWith('kubernetes:')) return name;
  return (inputs['metadata'] as { readonly name?: string } | undefined)?.name ?? name;
}

function findResource(resources: readonly Registered[], type: string, name: string): Registered {
  const found = resources.filter((resource) => resource.type === type && objectName(resource) === name);
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  throw new Error(
    `${found.length} resources ${type} ${name} among: ${resources.map((each) => key({ ...each, name: objectName(each) })).join(', ')}`,
  );
}
