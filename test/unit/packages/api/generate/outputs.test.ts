import assert from 'node:assert/strict';
import yaml from 'js-yaml';
import { apiFiles } from '../../../../../packages/api/generate/outputs.ts';

interface Crd {
  metadata: { name: string };
  spec: {
    versions: { name: string; storage: boolean; schema: unknown; additionalPrinterColumns: { name: string }[] }[];
  };
}

describe('generated files of the API', () => {
  let files: Record<string, string>;
  before(function () {
    this.timeout(60_000);
    files = apiFiles();
  });

  it('give both versions the same schema, so that a write through either loses nothing', () => {
    for (const path of ['packages/api/crds/inferencestacks.yaml', 'packages/api/crds/modelorchestras.yaml']) {
      const { spec } = yaml.load(files[path] ?? '') as Crd;
      const [alpha, beta] = spec.versions;
      assert.deepEqual([alpha?.name, beta?.name, alpha?.storage, beta?.storage], ['v1alpha1', 'v1beta1', false, true]);
      assert.deepEqual(alpha?.schema, beta?.schema);
    }
  });

  it('show operator, applications, readiness, GPUs and age, and with -o wide the message', () => {
    const { spec } = yaml.load(files['packages/api/crds/inferencestacks.yaml'] ?? '') as Crd;
    const columns = spec.versions[0]?.additionalPrinterColumns.map(({ name }) => name);
    assert.deepEqual(columns, ['Operator', 'Applications', 'Ready', 'GPUs', 'Age', 'Message']);
  });
});
