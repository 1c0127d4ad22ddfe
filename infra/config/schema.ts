import { PROTECT_API } from '../../components/api/api-objects.ts';
import { CATALOG_PRIORITY, POLL_MINUTES } from '../../components/catalog/catalog-object.ts';
import { isWriter, WRITER_FORM } from '../../components/guards/writers.ts';
import { isDockerConfig } from '../../components/registry/credentials.ts';
import { DEFAULT_OLM, EMBEDDED_OLM, OLDEST_OLM } from '../../components/olm/versions.ts';
import { OLM_RELEASES } from '../../components/olm/source.ts';
import { STREAMS } from '../../packages/api/channels.ts';
import { choice, defaulted, flag, fragment, group, list, optional, text, texts, whole, type ValueOf } from './field.ts';

const DNS_LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const SEMVER = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;
const REPOSITORY = /^[a-z0-9.-]+(:\d+)?(\/[a-z0-9._-]+)+$/;
const REGISTRY = /^[a-z0-9.-]+(:\d+)?(\/[a-z0-9._/-]+)?$/;

const operator = group('An operator, which serves the InferenceStacks of one major version.', {
  major: whole('The major version. One operator per major: two of one major would fight for the same stacks.', 0, 9999),
  channel: defaulted(choice('How mature a release must be to be installed.', STREAMS.toReversed()), 'stable'),
  version: optional(text('A version or range inside the major, such as `1.2.3` or `1.2.x`, as OLM reads ranges.')),
  rollbackTo: optional(
    text('Goes back to this earlier version of the major, against the catalog’s upgrade graph. Replaces `version`.', {
      pattern: SEMVER,
      expected: 'a full version such as 1.2.3',
    }),
  ),
  acceptImpact: optional(
    text(
      'Accepts what the upgrade to this version does to InferenceStacks, where the rule upgrades-spare-stacks would refuse it. It holds for this version alone.',
      { pattern: SEMVER, expected: 'a full version such as 1.2.3' },
    ),
  ),
});

const resources = group('Resource requests and limits of both controllers.', {
  requests: optional(texts('Requests, such as `{cpu: 100m, memory: 200Mi}`.')),
  limits: optional(texts('Limits, such as `{memory: 512Mi}`.')),
});

const toleration = group('A taint that the pods tolerate, in the form that Kubernetes uses.', {
  key: optional(text('Key of the taint. With `operator: Exists` it may be left out, to match every key.')),
  operator: optional(
    choice('`Equal`, the default of Kubernetes, compares the value; `Exists` does not.', ['Equal', 'Exists']),
  ),
  value: optional(text('Value of the taint.')),
  effect: optional(
    choice('Effect of the taint. Without it, every effect matches.', ['NoSchedule', 'PreferNoSchedule', 'NoExecute']),
  ),
  tolerationSeconds: optional(whole('For how many seconds `NoExecute` is tolerated.', 0, 86_400)),
});

const olm = group('Operator Lifecycle Manager v1.', {
  mode: defaulted(
    choice(
      '`install` puts OLM into a cluster that has none; `adopt` takes over one that something else installed; `existing` leaves OLM alone and only uses it.',
      ['install', 'adopt', 'existing'],
    ),
    'install',
  ),
  version: defaulted(
    text(
      `The version of OLM to install, ${OLDEST_OLM} or newer. Set a newer one to upgrade; going back to an older minor is refused. With \`existing\`, the version that the cluster has, used if the cluster does not say. The default for the embedded cluster is ${EMBEDDED_OLM}.`,
      { pattern: SEMVER, expected: `a full version such as ${DEFAULT_OLM}` },
    ),
    DEFAULT_OLM,
  ),
  manifest: defaulted(
    text('Path, from the checkout, or URL of the released manifest; `{version}` stands for the version.'),
    OLM_RELEASES,
  ),
  manifestSha256: optional(
    text('The manifest’s SHA-256: any other content is refused. Required with `requireDigests`.', {
      pattern: /^[0-9a-f]{64}$/,
      expected: 'a SHA-256 of 64 hexadecimal digits',
    }),
  ),
  certificates: defaulted(
    choice(
      'Who issues OLM’s certificates: this program, which renews them on `pulumi up`, or cert-manager, which must be in the cluster.',
      ['generated', 'cert-manager'],
    ),
    'generated',
  ),
  images: group('Images of OLM’s controllers, instead of those of the manifest. The embedded cluster has its own.', {
    catalogd: optional(text('Image of catalogd.')),
    operatorController: optional(text('Image of operator-controller.')),
  }),
  replicas: defaulted(whole('Replicas of each controller. One leads, the others stand by.', 1, 5), 1),
  resources: optional(resources),
  nodeSelector: optional(
    texts(
      'Labels of the nodes that OLM’s controllers and the operators run on; `{}` for any node. Without it, the operators run on any node, and OLM runs where its manifest says: since 1.10 on control plane nodes, or on any node if none of those fits.',
    ),
  ),
  tolerations: optional(
    list(
      'Taints that OLM’s controllers and the operators tolerate, in addition to those of OLM’s manifest.',
      toleration,
    ),
  ),
  affinity: optional(
    fragment('Affinity of OLM’s controllers and the operators, instead of that of OLM’s manifest.', [
      'nodeAffinity',
      'podAffinity',
      'podAntiAffinity',
    ]),
  ),
  writers: optional(
    list(
      `Who may write ClusterExtensions and ClusterCatalogs, each as ${WRITER_FORM}. From 1.11 on OLM acts as cluster-admin, so whoever writes them is cluster-admin, too. The guard refuses everybody else, except whoever runs \`pulumi up\`. Without the list, RBAC alone decides.`,
      text('A writer.', { accepts: isWriter, expected: WRITER_FORM }),
    ),
  ),
});

const catalog = group('The catalog of released operators.', {
  name: defaulted(
    text('Name of the ClusterCatalog.', {
      pattern: DNS_LABEL,
      expected: 'a name of lower-case letters, digits and dashes',
    }),
    'inference-stack-catalog',
  ),
  source: defaulted(
    choice(
      '`build` renders the template and builds the catalog image; `checkout` also builds the operator and its bundles from this checkout; `image` uses a catalog image that exists.',
      ['build', 'checkout', 'image'],
    ),
    'build',
  ),
  template: defaulted(text('Path, from the checkout, of the `olm.semver` template.'), 'catalog/operator_catalog.yaml'),
  image: optional(text('Reference of the catalog image that is served, with `source: image`.')),
  verify: optional(
    text(
      'Path, from the checkout, of a public key such as cosign.pub. With it, previews and updates refuse a catalog image that the holder of this key has not signed. Needs `source: image`, and the image by digest.',
    ),
  ),
  pollMinutes: defaulted(
    whole(
      'How often catalogd looks for a new image behind a tag. A digest never changes, so it is not polled.',
      1,
      1440,
    ),
    POLL_MINUTES,
  ),
  priority: defaulted(
    whole('When several catalogs offer the package, the one with the highest priority wins.', 0, 1000),
    CATALOG_PRIORITY,
  ),
});

const images = group('How this program builds images, and where it pushes them.', {
  repository: optional(
    text('Registry, and path if any, under which images are pushed.', {
      pattern: REGISTRY,
      expected: 'a registry with an optional path, such as registry.example.com/fleet',
    }),
  ),
  base: optional(
    text(
      'Base image of the controller and of the demo runtime: any image with Node 22.18 or newer, best by digest. The embedded cluster has its own.',
    ),
  ),
  username: optional(text('User to push images as. Without it, the credentials of `docker login` are used.')),
  password: optional(
    text('The user’s password. Set it with `pulumi config set --secret --path images.password`.', { secret: true }),
  ),
  builder: defaulted(
    choice('What builds images: BuildKit through docker-build, or a Docker engine.', ['docker-build', 'docker']),
    'docker-build',
  ),
  platforms: defaulted(list('Platforms to build for.', text('A platform.')), ['linux/amd64']),
});

/** Every setting of an environment. The names are what people write after `inference-stack-fleet:`. */
export const SETTINGS = {
  cluster: defaulted(
    choice('`embedded` is the local cluster of this checkout; `kubeconfig` is any other.', ['kubeconfig', 'embedded']),
    'kubeconfig',
  ),
  kubeconfig: optional(
    text(
      'Path of the kubeconfig, from the checkout or from `~/`. Without it, `KUBECONFIG` or `~/.kube/config` is used.',
    ),
  ),
  kubeContext: optional(
    text(
      'Context of the kubeconfig. Required unless the cluster is embedded: no environment follows the current context. It is also what Pulumi knows the cluster by, so keep the name: another one means another cluster, and replaces everything.',
    ),
  ),
  requireDigests: defaulted(
    flag(
      'Refuses every image that is not named by digest, and requires the checksum of OLM’s manifest. Tags in OLM’s manifest are replaced by the digests that its registry has.',
    ),
    false,
  ),
  registryCa: optional(
    text('Path, from the checkout, of the PEM certificates that OLM needs to trust the image registry.'),
  ),
  registryMirrors: defaulted(
    list(
      'Where copies of images are that catalogs and bundles name at another registry, such as `fleet mirror` makes. OLM asks them first; the nodes have to be told as well.',
      group('A repository, and its copy.', {
        source: text('The repository, or a path that repositories begin with, as images name it.', {
          pattern: REPOSITORY,
          expected: 'a registry with a path, such as docker.io/tytn',
        }),
        mirror: text('The repository or path that has the copies.', {
          pattern: REPOSITORY,
          expected: 'a registry with a path, such as registry.example.com/mirror/tytn',
        }),
      }),
    ),
    [],
  ),
  pullSecret: optional(
    text(
      'Docker config JSON with the registry’s credentials, with which this program, OLM and the operators’ pods pull images. Set it with `pulumi config set --secret`.',
      {
        accepts: isDockerConfig,
        expected: 'a Docker config in JSON with "auths"',
        secret: true,
      },
    ),
  ),
  proxy: optional(
    group('Proxy through which OLM’s controllers pull images.', {
      http: optional(text('Proxy for http URLs.')),
      https: optional(text('Proxy for https URLs.')),
      none: defaulted(list('Hosts and networks that are reached directly.', text('A host, domain or network.')), []),
    }),
  ),
  olm,
  catalog,
  api: group('The InferenceStack API.', {
    protect: defaulted(flag('Keeps `pulumi destroy` from touching the CRD. It is retained in any case.'), PROTECT_API),
    acceptChanges: defaulted(
      list(
        'Changes of the CRD to accept although they would break stacks, by the path that the refusal names.',
        text('A path.'),
      ),
      [],
    ),
    modelOrchestra: defaulted(flag('Also serves the earlier kind, ModelOrchestra.'), false),
  }),
  guards: defaulted(
    choice('What the cluster does with objects that would break the fleet’s rules.', ['deny', 'warn', 'off']),
    'deny',
  ),
  images,
  operators: list('The operators of the fleet, one per major version. An empty list installs none.', operator),
  removeMajors: defaulted(
    list(
      'Majors whose operator may be removed although InferenceStacks still name them.',
      whole('A major version.', 0, 9999),
    ),
    [],
  ),
  demo: defaulted(flag('Builds the demo runtime, which answers requests without a GPU.'), false),
};

export type Settings = { readonly [K in keyof typeof SETTINGS]: ValueOf<(typeof SETTINGS)[K]> };
