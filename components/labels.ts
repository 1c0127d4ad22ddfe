/** Whose object this is, as everyone can see in the cluster. */
export const MANAGED_BY = { 'app.kubernetes.io/managed-by': 'inference-stack-fleet' } as const;
