import { installRelease, type ReleasedOlm } from '@inference-stack-fleet/components';
import * as k8s from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';

const config = new pulumi.Config();
const cluster = { context: config.require('kubeContext') };
const kubernetes = new k8s.Provider('cluster', { ...cluster, enableServerSideApply: true });
const [registryCa, verify] = ['registryCa', 'verify'].map((name) => config.get(name));
const own = { olm: config.getObject<ReleasedOlm>('olm'), registryCa, verify };
const release = { cluster, catalog: config.require('catalog'), operators: [{ major: 3 }], ...own };
export const { versions } = await installRelease('fleet', release, { providers: { kubernetes } });
