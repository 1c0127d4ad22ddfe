import type { OpenEngine } from '../../../packages/api/types.ts';
import { objectsAt, textAt, valueAt } from '../../../packages/lib/json.ts';
import { names } from '../../../packages/lib/message.ts';
import type { Problem } from '../../../packages/lib/problem.ts';
import { OPENAI } from '../../../packages/render/engines/openai.ts';
import { factsOf, newestRevision } from '../../../packages/render/engines/table.ts';
import { runsAsRoot } from './security.ts';
import type { Group } from './values.ts';

/** What is odd about the pods of a group, or will be. */
export function podNotices(path: string, group: Group): Problem[] {
  return [
    ...commandNotice(path, group),
    ...engineNotice(path, group),
    ...volumeNotice(path, group),
    ...memoryNotice(path, group),
    ...userNotice(path, group),
  ];
}

function commandNotice(path: string, { command = [] }: Group): Problem[] {
  const [first = ''] = command;
  if (!first.startsWith('-')) return [];
  return [
    {
      path: `${path}.command`,
      value: first,
      message: 'begins with a flag, but Kubernetes takes the first word for the program: the container cannot start',
      remedy: 'Write the program before it, or call it args.',
    },
  ];
}

/** Engines with a table of their own, by the last word of their image's repository. */
const ENGINES: Readonly<Record<string, OpenEngine>> = {
  'vllm-openai': 'vllm',
  sglang: 'sglang',
  'llama.cpp': 'llamacpp',
};

function engineNotice(path: string, { image }: Group): Problem[] {
  const engine = ENGINES[image?.repository?.split('/').at(-1) ?? ''];
  if (engine === undefined) return [];
  return [
    {
      path: `${path}.command`,
      message: `is kept word by word, with engine: openai; engine: ${engine} would need no command, port or probes`,
      remedy: `Once everything runs, try engine: ${engine} with model.name and args.`,
    },
  ];
}

/** Kubernetes refuses pods that mount what they do not have. */
function volumeNotice(path: string, group: Group): Problem[] {
  const { persistentVolumes = [], volumes = [], volumeMounts = [], initContainers = [] } = group;
  const has = [...persistentVolumes.map(({ name }) => name), ...volumes.map((volume) => textAt(volume, 'name'))];
  const mounts = [...volumeMounts, ...initContainers.flatMap((container) => objectsAt(container, 'volumeMounts'))];
  const missing = [...new Set(mounts.map((mount) => textAt(mount, 'name')).filter((name) => !has.includes(name)))];
  if (missing.length === 0) return [];
  return [
    {
      path: `${path}.volumes`,
      message: `has no ${names(missing)}, which the group's containers mount: Kubernetes refuses its pods, as it did the chart's`,
      remedy: 'Add it, or remove the mounts.',
    },
  ];
}

/** The operator limits memory. A model that needs more than its limit would be killed. */
function memoryNotice(path: string, { resources }: Group): Problem[] {
  if (valueAt(resources, 'limits', 'memory') !== undefined) return [];
  const { memory } = factsOf(OPENAI.revisions, newestRevision(OPENAI)).resources.limits;
  return [
    {
      path: `${path}.resources.limits.memory`,
      message: `is not set, so the operator sets ${memory ?? 'its own'}, or what is requested if that is more`,
      remedy: 'Set it to what the model needs.',
    },
  ];
}

function userNotice(path: string, group: Group): Problem[] {
  const root = runsAsRoot(group);
  if (root === false) return [];
  const at = `${path}.podSecurityContext`;
  if (root === true) {
    const message = 'runs the engine as root, on a root that it may write to, as the chart does';
    const remedy =
      'If the image can do without, remove podSecurityContext, securityContext, HOME and HF_HOME from the application: ' +
      "the operator's own pass restricted namespaces.";
    return [{ path: at, message, remedy }];
  }
  return [
    {
      path: at,
      message: "names no user, so the operator's 10001 takes the place of the image's own",
      remedy: 'Set podSecurityContext.runAsUser if the image needs its own.',
    },
  ];
}
