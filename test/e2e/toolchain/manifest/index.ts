import * as k8s from '@pulumi/kubernetes';

/* Objects of a core kind, of another group and of a kind that Pulumi does not know, from one manifest. */

const MANIFEST = `
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: default}
data: {answer: '42'}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: reader, namespace: default}
rules: [{apiGroups: [''], resources: [configmaps], verbs: [get]}]
---
apiVersion: olm.operatorframework.io/v1
kind: ClusterCatalog
metadata: {name: catalog}
spec: {}
`;

const provider = new k8s.Provider('cluster', { kubeconfig: process.env['FLEET_TEST_KUBECONFIG'] ?? '' });

export const group = new k8s.yaml.v2.ConfigGroup('manifest', { yaml: MANIFEST }, { provider });
