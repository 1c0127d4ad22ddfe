// What other programs use. Images and registries are entries of their own, for those who build or read images.

export { readDefinitions } from './api/definitions.ts';
export { InferenceStackApi, type AppliedDefinition, type InferenceStackApiArgs } from './api/inference-stack-api.ts';
export type { Definition } from './api/crd-compatibility.ts';
export type { OperatorNeeds } from './api/unmet-needs.ts';

export { FleetGuards, type FleetGuardsArgs } from './guards/fleet-guards.ts';
export { writersOf, type Writers } from './guards/writers.ts';

export { OlmV1, type OlmV1Args } from './olm/olm-v1.ts';
export type { ExistingOlm } from './olm/existing.ts';
export type { Manifest } from './olm/manifest.ts';
export type { ChosenPlacement, NodeFacts } from './olm/placement.ts';
export { OLM_RELEASES, readManifest } from './olm/source.ts';
export { DEFAULT_OLM, olmFacts, type InstallsAs } from './olm/versions.ts';

export { ClusterCatalog, type ClusterCatalogArgs } from './catalog/cluster-catalog.ts';
export type { CatalogSource } from './catalog/catalog-source.ts';
export type { Catalog, FbcBundle } from './catalog/fbc.ts';

export { FleetAccess, type FleetAccessArgs, type InstallableOperator } from './fleet/fleet-access.ts';
export { OperatorFleet, type OperatorFleetArgs } from './fleet/operator-fleet.ts';
export type { LiveOperator } from './fleet/live-operators.ts';
export type { Operator } from './fleet/operator.ts';
export { planFleet, type InstalledOperator, type OperatorPlan, type PlannedOperator } from './fleet/plan.ts';

export { InferenceStack } from './inference-stack/inference-stack.ts';
export type { Declared, InferenceStackArgs, InferenceStackMetadata } from './inference-stack/args.ts';

export { installRelease } from './release/install-release.ts';
export type { ReleaseArgs, ReleasedOlm, ReleasedOperator } from './release/release-args.ts';

export { readInstalled, type Installed } from './read-installed.ts';
export { ProblemsError, type Problem } from '../packages/lib/problem.ts';
