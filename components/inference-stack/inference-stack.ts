import * as k8s from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import type { InferenceStack as Stack } from '../../packages/api/types.ts';
import { messageOf } from '../../packages/lib/error.ts';
import { formatProblem, ProblemsError } from '../../packages/lib/problem.ts';
import { textOf, objectAt } from '../../packages/lib/json.ts';
import { unknownOutput } from '../later.ts';
import { clusterUrl, ingressAddresses } from './addresses.ts';
import type { InferenceStackArgs } from './args.ts';
import { check } from './check.ts';
import { knownValues, type KnownValues } from './known-values.ts';
import { argumentProblems, describeManifest, FORMER_TYPES, manifestOf } from './manifest.ts';
import { masked } from './secrets.ts';
import { conditionOf } from './verdict.ts';

const TYPE = 'inference-stack-fleet:stack:InferenceStack';

/** Longer than the 10 minutes after which a Deployment gives up, so that the operator's reason comes first. */
const WAIT_MINUTES = 15;

/** What is known of a stack when it is ready. */
interface Outputs {
  readonly name: pulumi.Output<string>;
  readonly namespace: pulumi.Output<string>;
  readonly ready: pulumi.Output<string>;
  readonly url: pulumi.Output<string>;
  readonly addresses: pulumi.Output<readonly string[]>;
}

/**
 * An InferenceStack. A preview checks it by the rules of `fleet explain`. An update waits until it is ready, and fails
 * with the operator's reason when it cannot become ready. Whatever depends on it waits too.
 */
export class InferenceStack extends pulumi.ComponentResource<Outputs> {
  readonly name: pulumi.Output<string>;
  readonly namespace: pulumi.Output<string>;
  /** What the operator says of the stack when it is ready. */
  readonly ready: pulumi.Output<string>;
  /** Where the gateway answers inside the cluster. */
  readonly url: pulumi.Output<string>;
  /** Where it answers from outside: one address for each host of its Ingress. */
  readonly addresses: pulumi.Output<readonly string[]>;

  constructor(name: string, args: InferenceStackArgs, opts?: pulumi.ComponentResourceOptions) {
    super(TYPE, name, unrecorded({ name, args }), opts);
    const outputs = this.getData();
    this.name = pulumi.output(outputs.then((all) => all.name));
    this.namespace = pulumi.output(outputs.then((all) => all.namespace));
    this.ready = pulumi.output(outputs.then((all) => all.ready));
    this.url = pulumi.output(outputs.then((all) => all.url));
    this.addresses = pulumi.output(outputs.then((all) => all.addresses));
  }

  /**
   * Pulumi calls this from its own constructor; whatever depends on the component waits for it to finish. Before the
   * first `await`, no field of this class is initialized.
   */
  protected override async initialize({ name, args }: Declaration): Promise<Outputs> {
    const manifest = manifestOf(name, args);
    const known = await knownValues(manifest);
    const possible = this.#check({ name, args }, known);
    const opts = { parent: this, aliases: FORMER_TYPES };
    const { metadata } = new k8s.apiextensions.CustomResource(name, { ...manifest }, opts);
    const place = objectAt((await knownValues(metadata)).value);
    const stack = await this.#ready(place, args.waitMinutes ?? WAIT_MINUTES, known);
    const namespace = place['namespace'];
    const urls = typeof namespace === 'string' ? possible.map((each) => clusterUrl(each, namespace)) : [];
    const outputs: Outputs = {
      name: metadata.name,
      namespace: metadata.namespace,
      ready: pulumi.runtime.isDryRun() ? unknownOutput() : pulumi.output(readiness(stack)),
      url: agreed(stack?.status?.url === undefined ? urls : [stack.status.url], known),
      addresses: agreed(possible.map(ingressAddresses), known),
    };
    this.registerOutputs(outputs);
    return outputs;
  }

  /** Throws everything that is wrong, warns of what may not be intended, and returns what the stack may be. */
  #check({ name, args }: Declaration, known: KnownValues): readonly Stack[] {
    const object = describeManifest(name, known.value);
    const { problems, notices, possible } = check(known, object);
    const all = [...argumentProblems(args).map((problem) => ({ object, ...problem })), ...problems];
    if (all.length > 0) throw this.#failure(new ProblemsError(all));
    for (const notice of notices) void pulumi.log.warn(formatProblem(notice), this);
    return possible;
  }

  /** The stack when it is ready; undefined in a preview, and where waiting is turned off. */
  async #ready(
    place: Readonly<Record<string, unknown>>,
    minutes: number,
    known: KnownValues,
  ): Promise<Stack | undefined> {
    const { name, namespace, uid } = place;
    // An object that could not be applied has no uid; the provider reports it.
    if (pulumi.runtime.isDryRun() || minutes === 0 || typeof uid !== 'string') return undefined;
    const { waitFor } = await import('./wait.ts');
    const provider = this.getProvider('kubernetes::');
    const say = (line: string): void => void pulumi.log.warn(masked(line, known), this);
    try {
      return await waitFor({ name: textOf(name), namespace: textOf(namespace), uid }, { provider, minutes, say });
    } catch (error) {
      throw this.#failure(error, known);
    }
  }

  /** An error that Pulumi shows with the resource, without a stack trace. */
  #failure(error: unknown, known: Pick<KnownValues, 'secretTexts'> = { secretTexts: [] }): Error {
    return new pulumi.ResourceError(masked(messageOf(error), known), this, true);
  }
}

function readiness(stack: Stack | undefined): string {
  return (stack && conditionOf(stack, 'Ready')?.message) ?? 'It was not waited for.';
}

interface Declaration {
  readonly name: string;
  readonly args: InferenceStackArgs;
}

/** Pulumi records all enumerable fields. The object has the same ones, so every preview would show them twice. */
function unrecorded(declaration: Declaration): Declaration {
  const hidden = (value: unknown): PropertyDescriptor => ({ value, enumerable: false });
  return Object.defineProperties(
    { ...declaration },
    { name: hidden(declaration.name), args: hidden(declaration.args) },
  );
}

/** The value that all guesses agree on; unknown if they do not. */
function agreed<T>(values: readonly T[], known: KnownValues): pulumi.Output<T> {
  const texts = new Set(values.map((value) => JSON.stringify(value)));
  const [value] = values;
  const [text] = texts;
  if (value === undefined || text === undefined || texts.size !== 1) return unknownOutput();
  const output = masked(text, known) === text ? pulumi.output(value) : pulumi.secret(value);
  return output as pulumi.Output<T>;
}
