import semver from 'semver';
import { OPERATOR_NAMESPACE, operatorNames } from '../../packages/api/operator-names.ts';
import { refuse, type Problem } from '../../packages/lib/problem.ts';
import { LEVELS, type Level } from '../../packages/kube/process/log.ts';

/** What the operator reads from its environment variables. */
export interface Config {
  /** Full version, without `v`. */
  readonly version: string;
  readonly major: number;
  /** Name of the installation: the ClusterExtension's. */
  readonly operatorName: string;
  readonly podName: string;
  readonly leaseNamespace: string;
  readonly watchesFile: string;
  readonly metricsPort: number;
  readonly healthPort: number;
  readonly workers: number;
  readonly logLevel: Level;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Reads the environment; every problem is reported at once. */
export function readConfig(env: Env): Config {
  const problems: Problem[] = [];
  const version = semver.valid(env['OPERATOR_VERSION'] ?? '');
  if (version === null) {
    problems.push({
      path: 'OPERATOR_VERSION',
      value: env['OPERATOR_VERSION'] ?? '',
      message: 'must be a semantic version',
      remedy: 'The bundle sets it; by hand, use for example 3.0.0.',
    });
  }
  const number = (name: string, fallback: number, least: number, most: number): number => {
    const value = Number(env[name] ?? fallback);
    if (!Number.isInteger(value) || value < least || value > most) {
      problems.push({ path: name, value: env[name], message: `must be a whole number from ${least} to ${most}` });
    }
    return value;
  };
  const logLevel = LEVELS.find((level) => level === (env['LOG_LEVEL'] ?? 'info'));
  if (logLevel === undefined) {
    problems.push({ path: 'LOG_LEVEL', value: env['LOG_LEVEL'], message: `must be one of ${LEVELS.join(', ')}` });
  }
  const major = version === null ? 0 : semver.major(version);
  const config = {
    version: version ?? '',
    major,
    operatorName: env['OPERATOR_NAME'] ?? operatorNames(major).operator,
    podName: env['POD_NAME'] ?? `pid-${process.pid}`,
    leaseNamespace: env['LEASE_NAMESPACE'] ?? OPERATOR_NAMESPACE,
    watchesFile: env['WATCHES_FILE'] ?? 'watches.yaml',
    metricsPort: number('METRICS_PORT', 8080, 0, 65_535),
    healthPort: number('HEALTH_PORT', 8081, 0, 65_535),
    workers: number('WORKERS', 16, 1, 256),
    logLevel: logLevel ?? 'info',
  };
  refuse(problems);
  return config;
}
