import { installRelease, type ReleasedOlm } from '@inference-stack-fleet/components';
import * as k8s from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';

const config = new pulumi.Config();
const cluster = { context: config.require('kubeContext') };
const kubernetes = new k8s.Provider('cluster', { ...cluster, enableServerSideApply: true });
const own = { olm: config.getObject<ReleasedOlm>('olm'), registryCa: config.get('registryCa') };
const release = { cluster, catalog: config.require('catalog'), operators: [{ major: 3 }], ...own };
export const { versions } = await installRelease('fleet', release, { providers: { kubernetes } });
