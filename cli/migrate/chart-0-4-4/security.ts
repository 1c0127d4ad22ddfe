import type { Application, EnvVar } from '../../../packages/api/types.ts';
import { listAt, textAt, type OpenObject } from '../../../packages/lib/json.ts';
import { isEmpty } from '../../../packages/lib/values.ts';
import type { Group } from './values.ts';

/** Images whose own user is root, by the end of their repository. Many of them do not work for anybody else. */
const ROOT_IMAGES = ['vllm-openai', 'sglang', 'tritonserver'];

const ROOT_HOME = '/root';

/** Whether a group's containers run as root; undefined where the image decides, and nobody knows what. */
export function runsAsRoot(group: Group): boolean | undefined {
  const { image, podSecurityContext, securityContext } = group;
  const user = securityContext?.['runAsUser'] ?? podSecurityContext?.['runAsUser'];
  if (user !== undefined) return user === 0;
  if (securityContext?.['runAsNonRoot'] === true || podSecurityContext?.['runAsNonRoot'] === true) return false;
  const repository = image?.repository ?? '';
  const isKnown = ROOT_IMAGES.some((name) => repository === name || repository.endsWith(`/${name}`));
  return isKnown || isInside(ROOT_HOME, mountPaths(group)) ? true : undefined;
}

/**
 * Security contexts that let containers do what they could do in the chart. The operator's own, which come where a group says nothing,
 * would keep many of them from starting.
 */
export function securityOf(group: Group): Pick<Application, 'podSecurityContext' | 'securityContext'> {
  const { podSecurityContext = {}, securityContext = {} } = group;
  const pod = runsAsRoot(group) === true ? { runAsUser: 0, runAsGroup: 0, ...podSecurityContext } : podSecurityContext;
  return {
    ...(isEmpty(pod) ? {} : { podSecurityContext: pod }),
    securityContext: { readOnlyRootFilesystem: false, ...rights(group), ...securityContext, ...capabilities(group) },
  };
}

/** Variables that lead to where caches were: the operator gives a home of its own to containers that name none. */
export function homeOf(group: Group): EnvVar[] {
  const { env = [] } = group;
  const given = (name: string): string | undefined => env.find((each) => each.name === name)?.value;
  const home = given('HOME') ?? homeFrom(group);
  if (home === undefined) return [];
  const caches = given('XDG_CACHE_HOME') ?? `${home}/.cache`;
  const wanted = [
    { name: 'HOME', value: home },
    { name: 'HF_HOME', value: `${caches}/huggingface` },
  ];
  return wanted.filter(({ name }) => !env.some((each) => each.name === name));
}

function homeFrom(group: Group): string | undefined {
  if (runsAsRoot(group) === true) return ROOT_HOME;
  const cache = mountPaths(group).find((path) => path.includes('/.cache'));
  return cache?.slice(0, cache.indexOf('/.cache'));
}

function mountPaths({ persistentVolumes = [], volumeMounts = [] }: Group): string[] {
  return [
    ...persistentVolumes.map(({ mountPath }) => mountPath),
    ...volumeMounts.map((each) => textAt(each, 'mountPath')),
  ];
}

function isInside(folder: string, paths: readonly string[]): boolean {
  return paths.some((path) => path === folder || path.startsWith(`${folder}/`));
}

/** Whether a container has rights that the operator takes from others. */
function isPrivileged(group: Group): boolean {
  const { securityContext } = group;
  const added = listAt(securityContext, 'capabilities', 'add');
  return runsAsRoot(group) === true || securityContext?.['privileged'] === true || added.length > 0;
}

function rights(group: Group): OpenObject {
  return isPrivileged(group) ? { allowPrivilegeEscalation: true } : {};
}

function capabilities(group: Group): OpenObject {
  if (!isPrivileged(group)) return {};
  const given = group.securityContext?.['capabilities'];
  return { capabilities: { drop: [], ...(given as OpenObject | undefined) } };
}
