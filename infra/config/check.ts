import { duplicateMajors } from '../../components/fleet/one-per-major.ts';
import type { Problem } from '../../controller/src/problem.ts';
import type { Settings } from './schema.ts';

/** What no single setting can know: settings that contradict each other, or that a stack's own rules refuse. */
export function checkSettings(settings: Settings): readonly Problem[] {
  return [
    ...checkOperators(settings.operators),
    ...checkCluster(settings),
    ...checkCatalog(settings),
    ...checkOlm(settings.olm),
    ...(settings.requireDigests ? checkDigests(settings) : []),
    ...checkRepository(settings),
  ];
}

function checkOperators(operators: Settings['operators']): readonly Problem[] {
  const none = { path: 'operators', message: 'is empty', remedy: 'List at least one operator, such as {major: 1}.' };
  return [
    ...(operators.length === 0 ? [none] : []),
    ...duplicateMajors(operators),
    ...operators.flatMap((operator, index) => checkRollback(operator, `operators[${index}]`)),
  ];
}

function checkRollback(operator: Settings['operators'][number], path: string): readonly Problem[] {
  const problems: Problem[] = [];
  const { major, version, rollbackTo } = operator;
  if (version !== undefined && rollbackTo !== undefined) {
    problems.push({
      path: `${path}.version`,
      value: version,
      message: 'cannot be combined with rollbackTo',
      remedy: 'Remove version while the rollback lasts.',
    });
  }
  if (rollbackTo !== undefined && Number(rollbackTo.split('.')[0]) !== major) {
    problems.push({
      path: `${path}.rollbackTo`,
      value: rollbackTo,
      message: `is not a version of major ${major}`,
      remedy: 'A rollback stays inside the major; move stacks to another major by their label.',
    });
  }
  return problems;
}

function checkCluster(settings: Settings): readonly Problem[] {
  const problems: Problem[] = [];
  if (settings.requireKubeContext && settings.kubeContext === undefined) {
    problems.push({
      path: 'kubeContext',
      message: 'is required by this stack',
      remedy: 'Run `pulumi config set kubeContext <context>`; `kubectl config get-contexts` lists them.',
    });
  }
  for (const key of ['kubeconfig', 'kubeContext'] as const) {
    const value = settings[key];
    if (settings.cluster === 'embedded' && value !== undefined) {
      problems.push({
        path: key,
        value,
        message: 'has no meaning with the embedded cluster',
        remedy: 'Remove it, or set `cluster: kubeconfig`.',
      });
    }
  }
  return problems;
}

function checkCatalog({ catalog }: Settings): readonly Problem[] {
  if (catalog.source === 'image' && catalog.image === undefined) {
    return [
      {
        path: 'catalog.image',
        message: 'is required with `source: image`',
        remedy: 'Name the catalog image, best by digest.',
      },
    ];
  }
  if (catalog.source !== 'image' && catalog.image !== undefined) {
    return [
      {
        path: 'catalog.image',
        value: catalog.image,
        message: `is not used with \`source: ${catalog.source}\``,
        remedy: 'Remove it, or set `source: image`.',
      },
    ];
  }
  return [];
}

function checkOlm(olm: Settings['olm']): readonly Problem[] {
  if (olm.images.source === 'registry') return [];
  return (['catalogd', 'operatorController'] as const)
    .filter((key) => olm.images[key] !== undefined)
    .map((key) => ({
      path: `olm.images.${key}`,
      value: olm.images[key],
      message: 'is not used with `source: programs`',
      remedy: 'Remove it, or set `source: registry`.',
    }));
}

/** What a stack builds has to be pushed somewhere; the embedded cluster brings its own registry. */
function checkRepository(settings: Settings): readonly Problem[] {
  const builds = [
    ...(settings.catalog.source === 'image' ? [] : [`catalog.source: ${settings.catalog.source}`]),
    ...(settings.olm.images.source === 'programs' ? ['olm.images.source: programs'] : []),
    ...(settings.demo ? ['demo: true'] : []),
  ];
  const [reason] = builds;
  if (reason === undefined || settings.cluster === 'embedded' || settings.images.repository !== undefined) return [];
  return [
    {
      path: 'images.repository',
      message: `is required with \`${reason}\``,
      remedy: 'Name the registry, and path if any, to which the built images are pushed.',
    },
  ];
}

function checkDigests(settings: Settings): readonly Problem[] {
  const images = {
    'catalog.image': settings.catalog.image,
    'olm.images.catalogd': settings.olm.images.catalogd,
    'olm.images.operatorController': settings.olm.images.operatorController,
  };
  return Object.entries(images)
    .filter(([, image]) => image !== undefined && !/@sha256:[0-9a-f]{64}$/.test(image))
    .map(([path, value]) => ({
      path,
      value,
      message: 'must be named by digest in this stack',
      remedy: 'Write <repository>@sha256:<digest>; `fleet catalog show` and `crane digest` print it.',
    }));
}
