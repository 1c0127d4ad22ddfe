import type { OpenObject } from '../lib/json.ts';

/** The sources that a Kubernetes volume can have. They are named so that a rule can count them; their content is open. */
export interface VolumeSources {
  /** An EBS disk (old form). */
  awsElasticBlockStore?: OpenObject;
  /** An Azure disk. */
  azureDisk?: OpenObject;
  /** An Azure file share. */
  azureFile?: OpenObject;
  /** A Ceph file system. */
  cephfs?: OpenObject;
  /** A Cinder volume. */
  cinder?: OpenObject;
  /** A ConfigMap. */
  configMap?: OpenObject;
  /** An inline volume of a CSI driver. */
  csi?: OpenObject;
  /** Fields of the pod. */
  downwardAPI?: OpenObject;
  /** A folder that lives as long as the pod. */
  emptyDir?: OpenObject;
  /** A claim that lives as long as the pod. */
  ephemeral?: OpenObject;
  /** A Fibre Channel volume. */
  fc?: OpenObject;
  /** A volume of a FlexVolume driver. */
  flexVolume?: OpenObject;
  /** A Flocker volume. */
  flocker?: OpenObject;
  /** A Compute Engine disk. */
  gcePersistentDisk?: OpenObject;
  /** A git repository (withdrawn from Kubernetes). */
  gitRepo?: OpenObject;
  /** A Gluster volume. */
  glusterfs?: OpenObject;
  /** A folder of the node. Its size is unbounded, and it can be a way out of the container. */
  hostPath?: OpenObject;
  /** An OCI image or artifact, read-only. */
  image?: OpenObject;
  /** An iSCSI disk. */
  iscsi?: OpenObject;
  /** An NFS export. */
  nfs?: OpenObject;
  /** An existing claim. All pods of the application must be able to mount it. */
  persistentVolumeClaim?: OpenObject;
  /** A Photon Controller disk. */
  photonPersistentDisk?: OpenObject;
  /** A Portworx volume. */
  portworxVolume?: OpenObject;
  /** Several sources in one folder. */
  projected?: OpenObject;
  /** A Quobyte volume. */
  quobyte?: OpenObject;
  /** A Ceph block device. */
  rbd?: OpenObject;
  /** A ScaleIO volume. */
  scaleIO?: OpenObject;
  /** A Secret. */
  secret?: OpenObject;
  /** A StorageOS volume. */
  storageos?: OpenObject;
  /** A vSphere disk. */
  vsphereVolume?: OpenObject;
}

export const VOLUME_SOURCES: readonly (keyof VolumeSources)[] = [
  'awsElasticBlockStore',
  'azureDisk',
  'azureFile',
  'cephfs',
  'cinder',
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'fc',
  'flexVolume',
  'flocker',
  'gcePersistentDisk',
  'gitRepo',
  'glusterfs',
  'hostPath',
  'image',
  'iscsi',
  'nfs',
  'persistentVolumeClaim',
  'photonPersistentDisk',
  'portworxVolume',
  'projected',
  'quobyte',
  'rbd',
  'scaleIO',
  'secret',
  'storageos',
  'vsphereVolume',
];
