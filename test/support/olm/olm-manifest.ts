/** A manifest with the parts of OLM v1's that matter here. The end-to-end tests install the real one. */
export const OLM_MANIFEST = `
apiVersion: v1
kind: Namespace
metadata: {name: olmv1-system}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: clustercatalogs.olm.operatorframework.io}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: clusterextensions.olm.operatorframework.io, labels: {team: olm}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: catalogd-controller-manager, namespace: olmv1-system}
spec:
  replicas: 1
  template:
    spec:
      containers:
      - name: manager
        image: quay.example/catalogd:v1
        args: [--leader-elect, --pull-cas-dir=/var/ca-certs]
        volumeMounts: [{name: cas, mountPath: /var/ca-certs}]
      volumes:
      - {name: cas, secret: {secretName: catalogd-cert, optional: false}}
      - {name: cache, emptyDir: {}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: operator-controller-controller-manager, namespace: olmv1-system}
spec:
  replicas: 1
  template:
    spec:
      containers:
      - name: manager
        image: quay.example/operator-controller:v1
        args: [--leader-elect]
        env: [{name: KEEP, value: me}]
      volumes:
      - name: certs
        secret:
          secretName: olmv1-cert
          items:
          - {key: ca.crt, path: olm-ca.crt}
          - {key: tls.crt, path: tls.cert}
          - {key: tls.key, path: tls.key}
---
apiVersion: cert-manager.io/v1
kind: Certificate
metadata: {name: olmv1-ca, namespace: cert-manager}
spec: {isCA: true, secretName: olmv1-ca}
---
apiVersion: cert-manager.io/v1
kind: Certificate
metadata: {name: catalogd, namespace: olmv1-system}
spec: {secretName: catalogd-cert, dnsNames: [catalogd-service.olmv1-system.svc, localhost]}
---
apiVersion: cert-manager.io/v1
kind: Certificate
metadata: {name: olmv1-cert, namespace: olmv1-system}
spec: {secretName: olmv1-cert, dnsNames: [operator-controller-service.olmv1-system.svc]}
---
apiVersion: cert-manager.io/v1
kind: ClusterIssuer
metadata: {name: olmv1-ca}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata:
  name: catalogd-webhook
  annotations: {cert-manager.io/inject-ca-from-secret: cert-manager/olmv1-ca, keep: "yes"}
webhooks:
- {name: inject.example, clientConfig: {service: {name: catalogd-service, namespace: olmv1-system}}}
`;

/** As releases have it since 1.10. */
export const OLM_MANIFEST_OF_CONTROL_PLANE = OLM_MANIFEST.replaceAll(
  '      containers:',
  '      nodeSelector: {node-role.kubernetes.io/control-plane: ""}\n      containers:',
);
