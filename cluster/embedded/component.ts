import type { Layout } from './layout.ts';
import type { ClusterSettings } from './settings.ts';

/** One process of the cluster, as it should run. */
export interface Component {
  /** Name of the program, and of its log file. */
  readonly name: string;
  readonly args: readonly string[];
  /** Configuration files by path; a change restarts the process. */
  readonly files?: Readonly<Record<string, string>>;
  /** TCP port on which it listens inside the cluster's network. */
  readonly port?: number;
}

/** What a component's definition needs. */
export interface ComponentContext {
  readonly layout: Layout;
  readonly settings: ClusterSettings;
  /** Real path of a program. */
  readonly program: (name: string) => string;
}
