/**
 * The objects in the documents of the makers of the Model Orchestra operator, character by character, comments included: what their
 * users have in files and in clusters.
 */

/** The catalog of the contributing guide. */
export const CATALOG_OF_TWO_CHANNELS = `# This is the set of operator bundles that we support in our catalog. To add another version of the operator, add another bundle to the list.
Schema: olm.semver
GenerateMajorChannels: true
GenerateMinorChannels: false
# All new versions that we are confident in can be added to the fast channel, only mature releases should be added to the stable channel.
Stable:
  Bundles:
  - Image: docker.io/tytn/operator-bundle:0.1.0
  # Add your new version here like:
  # - Image: docker.io/tytn/operator-bundle:0.2.0
  # Note here we need the canonical image name.
Fast:
  Bundles:
  - Image: docker.io/tytn/operator-bundle:0.1.0
  # Add your new version here like:
  # - Image: docker.io/tytn/operator-bundle:0.2.0
  # Note here we need the canonical image name.
`;

/** The catalog of the first README. */
export const CATALOG_OF_ONE_CHANNEL = `# This is the set of operator bundles that we support in our catalog. To add another version of the operator, add another bundle to the list.
Schema: olm.semver
GenerateMajorChannels: true
GenerateMinorChannels: false
Stable:
  Bundles:
  - Image: docker.io/tytn/operator-bundle:0.1.0
  # Add your new version here like:
  # - Image: docker.io/tytn/operator-bundle:0.2.0
  # Note here we need the canonical image name.
`;

/** A Model Orchestra that says which operator reconciles it. */
export const ORCHESTRA_WITH_VERSION = `apiVersion: models.titanml.co/v1alpha1
kind: ModelOrchestra
metadata:
  name: my-model-orchestra
  labels:
    operatorVersion: 0.2.13 # This is the version of the operator you want to reconcile this CR
spec:
  applications:
    hello-world:
      nodeSelector:
        nvidia.com/gpu.product: NVIDIA-GeForce-RTX-3060
      readerConfig:
        modelName: "unsloth/Llama-3.2-1B-Instruct"
        device: cuda
  imagePullSecrets:
    - name: regcred
`;

/** A Model Orchestra from before there were several operators. */
export const ORCHESTRA_WITHOUT_VERSION = `apiVersion: models.titanml.co/v1alpha1
kind: ModelOrchestra
metadata:
  name: my-model-orchestra
spec:
  applications:
    hello-world:
      nodeSelector:
        nvidia.com/gpu.product: NVIDIA-GeForce-RTX-3060
      readerConfig:
        modelName: "unsloth/Llama-3.2-1B-Instruct"
        device: cuda
  imagePullSecrets:
    - name: regcred
`;

/** What subscribes to the operators of major 0. */
export const EXTENSION = `apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata:
  name: model-orchestra-operator-v0-stable
spec:
  namespace: model-orchestra-operator-system # namespace to deploy the operator into
  source:
    sourceType: Catalog # source type to use: https://operator-framework.github.io/operator-controller/api-reference/operator-controller-api-reference/#sourceconfig
    catalog:
      # catalog filter: https://operator-framework.github.io/operator-controller/api-reference/operator-controller-api-reference/#catalogfilter
      packageName: model-orchestra-operator # name of the operator
      channels: [ "stable-v0" ] # channels to subscribe to
`;
