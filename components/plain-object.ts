/** An object of the Kubernetes API as a component declares it, before anything that only Pulumi reads is added. */
export interface PlainObject<ApiVersion extends string = string, Kind extends string = string> {
  readonly apiVersion: ApiVersion;
  readonly kind: Kind;
  readonly metadata: PlainMetadata;
}

export interface PlainMetadata {
  readonly name: string;
  readonly namespace?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}
