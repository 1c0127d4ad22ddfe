import { imagesOf } from '../knowledge/objects/images.ts';
import { PROD_ONLY } from '../knowledge/levels.ts';
import { judge, words } from '../knowledge/rule.ts';
import type { ObjectRule } from '../knowledge/rule.ts';

export const registriesAreAllowed: ObjectRule = {
  scope: 'object',
  name: 'registries-are-allowed',
  title: 'Registries from an allow list',
  description: 'Workloads and catalogs pull their images from registries on the allow list.',
  severity: 'medium',
  levels: PROD_ONLY,
  remedy:
    'Mirror the image into an allowed registry, or add the registry, or a path in it, to the setting "registries".',
  settings: {
    registries: {
      type: 'array',
      items: { type: 'string' },
      default: ['docker.io/tytn', 'quay.io/operator-framework', 'registry.k8s.io'],
      description: 'Registry hosts, or paths in them, that images may come from.',
    },
  },
  check: (subject, _facts, settings) => {
    const allowed = words(settings, 'registries');
    return imagesOf(subject.object).flatMap(({ where, path, read }) => {
      const judgement = (): string[] => {
        const image = canonical(read());
        if (allowed.some((prefix) => image.startsWith(`${prefix.replace(/\/+$/, '')}/`))) return [];
        return [`${subject.title} should pull the image of ${where} from ${allowed.join(', ')}, not ${image}.`];
      };
      return judge(subject, judgement, path);
    });
  },
};

/** `nginx` is `docker.io/library/nginx` to every container runtime. */
function canonical(image: string): string {
  const [first = '', ...rest] = image.split('/');
  if (rest.length === 0) return `docker.io/library/${image}`;
  return /[.:]/.test(first) || first === 'localhost' ? image : `docker.io/${image}`;
}
