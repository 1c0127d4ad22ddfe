import { parseArgs } from 'node:util';
import type { FbcBundle } from '../../../../components/catalog/fbc.ts';
import { buildBundle } from '../../../../components/bundle/bundle.ts';
import { bundleToFbc } from '../../../../components/catalog/registry-v1.ts';
import { renderCatalog } from '../../../../components/catalog/render.ts';
import { parseTemplate } from '../../../../components/catalog/template.ts';
import { writeCatalog } from '../../../../components/catalog/write.ts';

const { values } = parseArgs({ options: { bundles: { type: 'string', default: '500' } } });
const count = Number(values.bundles);
const controllerImage = `docker.io/tytn/operator@sha256:${'a'.repeat(64)}`;

/** Bundles of the operator itself: 5 majors, 10 minor versions of each, and patches. */
const bundles = new Map<string, FbcBundle>();
for (let index = 0; index < count; index += 1) {
  const version = `${Math.floor(index / 100)}.${Math.floor(index / 10) % 10}.${index % 10}`;
  const image = `docker.io/tytn/operator-bundle:${version}`;
  const { files } = buildBundle({ version, crdVersion: 'v1alpha1', controllerImage, created: new Date(0) });
  bundles.set(image, bundleToFbc(image, files));
}
const list = [...bundles.keys()].map((image) => `  - Image: ${image}\n`).join('');
const streams = ['Candidate', 'Fast', 'Stable'].map((stream) => `${stream}:\n  Bundles:\n${list}`).join('');
const text = `Schema: olm.semver\nGenerateMajorChannels: true\nGenerateMinorChannels: true\n${streams}`;

for (const round of ['cold', 'warm']) {
  const started = performance.now();
  const template = parseTemplate(text, 'bench.yaml');
  const catalog = writeCatalog(renderCatalog({ template, bundles, file: 'bench.yaml' }), 'json');
  const elapsed = (performance.now() - started).toFixed(0);
  console.log(`${count} bundles in 3 streams, ${round}: ${elapsed} ms, ${(catalog.length / 1e6).toFixed(1)} MB`);
}
