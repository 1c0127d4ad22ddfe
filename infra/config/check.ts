import { EVERYBODY } from '../../components/guards/writers.ts';
import { duplicateMajors } from '../../components/fleet/one-per-major.ts';
import { checkOlmVersion, EMBEDDED_OLM } from '../../components/olm/versions.ts';
import { isByDigest } from '../../components/registry/reference.ts';
import type { Problem } from '../../packages/lib/problem.ts';
import { inSettings } from './in-settings.ts';
import type { Settings } from './schema.ts';

/** Checks that no single setting can make: settings that contradict each other, or that no environment may have. */
export function checkSettings(settings: Settings): readonly Problem[] {
  return [
    ...checkOperators(settings.operators),
    ...checkCluster(settings),
    ...checkCatalog(settings),
    ...inSettings('olm', checkOlmVersion(settings.olm.version)),
    ...checkEmbeddedOlm(settings),
    ...(settings.requireDigests ? [...checkDigests(settings), ...checkManifest(settings)] : []),
    ...checkBuilds(settings),
    ...checkPush(settings),
    ...checkWriters(settings),
  ];
}

function checkOperators(operators: Settings['operators']): readonly Problem[] {
  return [
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
  if (settings.cluster === 'kubeconfig' && settings.kubeContext === undefined) {
    problems.push({
      path: 'kubeContext',
      message: 'is required: an environment must not follow whatever context is current',
      remedy: 'Run `pulumi config set kubeContext <context>`; `kubectl config get-contexts` lists them.',
    });
  }
  for (const key of ['kubeconfig', 'kubeContext'] as const) {
    const value = settings[key];
    if (settings.cluster === 'embedded' && value !== undefined) {
      problems.push({
        path: key,
        value,
        message: 'cannot be set for the embedded cluster',
        remedy: 'Remove it, or set `cluster: kubeconfig`.',
      });
    }
  }
  return problems;
}

/** The embedded cluster runs OLM from images of one version, which the manifest of another does not fit. */
function checkEmbeddedOlm({ cluster, olm: { mode, version, images } }: Settings): readonly Problem[] {
  const hasImages = images.catalogd !== undefined && images.operatorController !== undefined;
  if (cluster !== 'embedded' || mode === 'existing' || hasImages || version === EMBEDDED_OLM) return [];
  return [
    {
      path: 'olm.version',
      value: version,
      message: `is not ${EMBEDDED_OLM}, the version that the embedded cluster has programs of`,
      remedy: `Remove it, or name images of this version in \`olm.images\`.`,
    },
  ];
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
  return checkVerified(catalog);
}

/** A signature is one of a digest, and of an image that somebody else has made. */
function checkVerified({ source, image, verify }: Settings['catalog']): readonly Problem[] {
  if (verify === undefined) return [];
  if (image === undefined) {
    const message = `is not used with \`source: ${source}\`, which builds the image`;
    return [{ path: 'catalog.verify', value: verify, message, remedy: 'Remove it, or set `source: image`.' }];
  }
  if (isByDigest(image)) return [];
  const message = 'must be named by digest with `catalog.verify`: a tag may move after the signature was verified';
  return [{ path: 'catalog.image', value: image, message, remedy: 'Write <repository>@sha256:<digest>.' }];
}

/** What an environment builds has to be pushed somewhere and built on something; the embedded cluster brings both. */
function checkBuilds({ catalog, demo, operators, cluster, images }: Settings): readonly Problem[] {
  if (cluster === 'embedded') return [];
  const code = [
    ...(catalog.source === 'checkout' ? ['catalog.source: checkout'] : []),
    ...(demo ? ['demo: true'] : []),
  ];
  const all = [...(catalog.source === 'build' && operators.length > 0 ? ['catalog.source: build'] : []), ...code];
  return [
    ...required('images.repository', images.repository, all, 'Name the registry, and path if any, to push images to.'),
    ...required('images.base', images.base, code, 'Name an image with Node, best by digest.'),
  ];
}

/** A user without a password, or the other way round, would push as nobody. */
function checkPush({ images: { username, password } }: Settings): readonly Problem[] {
  if ((username === undefined) === (password === undefined)) return [];
  const [given, missing] = username === undefined ? ['password', 'username'] : ['username', 'password'];
  const remedy = `Set it with \`pulumi config set --secret --path images.${missing}\`, or remove images.${given}.`;
  return [{ path: `images.${missing}`, message: `is required with \`images.${given}\``, remedy }];
}

function required(path: string, value: unknown, reasons: readonly string[], remedy: string): readonly Problem[] {
  const [reason] = reasons;
  return reason === undefined || value !== undefined
    ? []
    : [{ path, message: `is required with \`${reason}\``, remedy }];
}

function checkDigests(settings: Settings): readonly Problem[] {
  const images = {
    'catalog.image': settings.catalog.image,
    'olm.images.catalogd': settings.olm.images.catalogd,
    'olm.images.operatorController': settings.olm.images.operatorController,
    'images.base': settings.images.base,
  };
  return Object.entries(images)
    .filter(([, image]) => image !== undefined && !isByDigest(image))
    .map(([path, value]) => ({
      path,
      value,
      message: 'must be named by digest in this environment',
      remedy: 'Write <repository>@sha256:<digest>; `crane digest <image>` prints the digest.',
    }));
}

/** A manifest is not only images: rights and admission of OLM come with it, so digests of images do not pin it. */
function checkManifest({ olm }: Settings): readonly Problem[] {
  if (olm.mode === 'existing' || olm.manifestSha256 !== undefined) return [];
  return [
    {
      path: 'olm.manifestSha256',
      message: 'is required with `requireDigests: true`: the manifest decides what OLM runs, and with which rights',
      remedy: 'Look at the manifest of this version, and write what `sha256sum` prints for it.',
    },
  ];
}

/** Refuses a list that nothing enforces, or that admits everybody. */
function checkWriters({ olm: { writers }, guards }: Settings): readonly Problem[] {
  const path = 'olm.writers';
  const idle = { path, message: 'has no effect with `guards: off`', remedy: 'Remove it, or set `guards: deny`.' };
  return [
    ...(writers !== undefined && guards === 'off' ? [idle] : []),
    ...(writers ?? []).flatMap((value, index) =>
      EVERYBODY.includes(value)
        ? [{ path: `${path}[${index}]`, value, message: 'means everybody', remedy: 'Name those who look after OLM.' }]
        : [],
    ),
  ];
}
