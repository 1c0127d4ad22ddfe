import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandError, run } from '../../packages/lib/command.ts';
import { type Problem, ProblemsError } from '../../packages/lib/problem.ts';
import { APT_ENVIRONMENT, aptProblem, mayInstall, updateIndex } from '../debian.ts';
import { debianSite, listInSuite, type SuitePackage } from '../debian-suite.ts';

/** The questions to apt. Only apt knows the machine's sources, proxies and credentials. */
export interface Apt {
  /** `'address' file size hash`, one line per package, from the index that the machine has. */
  addresses(packages: readonly string[]): Promise<string>;
  download(address: string): Promise<void>;
  update(): Promise<void>;
  mayUpdate(): boolean;
  site(): Promise<string>;
  /** Resolves a package of another release with everything that it depends on. */
  resolve(wanted: ResolvedPackage): Promise<void>;
}

type ResolvedPackage = Omit<SuitePackage, 'programs'>;

/**
 * Addresses that can be tried one by one. Others get the benefit of the doubt: apt chooses a server for `mirror+file:` itself, and
 * only when it installs.
 */
const CAN_BE_ASKED = /^https?:/;

/** Packages that cannot be downloaded: unknown to the index, or on a server that does not answer. */
export async function packageProblems(packages: readonly string[], apt: Apt = machineApt): Promise<Problem[]> {
  if (packages.length === 0) return [];
  const attempt = async (): Promise<void> => {
    const addresses = smallestPerSite(await apt.addresses(packages));
    await Promise.all(addresses.map((address) => apt.download(address)));
  };
  try {
    await attempt().catch(async (error: unknown) => {
      // A missing or old index is updated if the user may.
      if (!(error instanceof CommandError) || !apt.mayUpdate()) throw error;
      await apt.update();
      await attempt();
    });
    return [];
  } catch (error) {
    return [problemOf(`Debian packages ${packages.join(', ')}`, error)];
  }
}

/** Releases of Debian whose index the machine's server does not have. */
export async function suiteProblems(suites: readonly string[], apt: Apt = machineApt): Promise<Problem[]> {
  const problems = suites.map(async (suite): Promise<Problem[]> => {
    try {
      const address = `${await apt.site()}/dists/${suite}/InRelease`;
      if (CAN_BE_ASKED.test(address)) await apt.download(address);
      return [];
    } catch (error) {
      return [problemOf(`Debian ${suite}`, error)];
    }
  });
  return (await Promise.all(problems)).flat();
}

/** Why a package of another release cannot be had: its server does not answer, or the release has it no longer. */
export async function suitePackageProblems(wanted: ResolvedPackage, apt: Apt = machineApt): Promise<Problem[]> {
  const { packageName, suite } = wanted;
  // A server that is away is noticed sooner in this way.
  const problems = await suiteProblems([suite], apt);
  if (problems.length > 0) return problems;
  try {
    await apt.resolve(wanted);
    return [];
  } catch (error) {
    if (error instanceof ProblemsError) return [...error.problems];
    return [problemOf(`${packageName} of Debian ${suite}`, error)];
  }
}

/** The smallest package of each server: fetching it shows that the server works. */
export function smallestPerSite(listing: string): string[] {
  const smallest = new Map<string, { address: string; size: number }>();
  for (const [, address = '', digits = ''] of listing.matchAll(/^'(\S+)' \S+ (\d+)/gm)) {
    if (!CAN_BE_ASKED.test(address)) continue;
    const site = /^[^/]+\/\/[^/]*/.exec(address)?.[0] ?? address;
    const size = Number(digits);
    if (size < (smallest.get(site)?.size ?? Infinity)) smallest.set(site, { address, size });
  }
  return [...smallest.values()].map(({ address }) => address);
}

function problemOf(object: string, error: unknown): Problem {
  const problem = aptProblem(object, error);
  if (problem === undefined) throw error;
  return problem;
}

const machineApt: Apt = {
  addresses: (packages) => run('apt-get', ['-qq', '--print-uris', 'download', ...packages], { env: APT_ENVIRONMENT }),
  async download(address) {
    const folder = mkdtempSync(join(tmpdir(), 'preflight-'));
    const settings = [
      'Acquire::http::Timeout=8',
      'Acquire::https::Timeout=8',
      'Acquire::Retries=0',
      'APT::Sandbox::User=root',
    ];
    const options = settings.flatMap((setting) => ['-o', setting]);
    try {
      const args = ['-qq', ...options, 'download-file', address, join(folder, 'file')];
      await run('/usr/lib/apt/apt-helper', args, { env: APT_ENVIRONMENT });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  update: updateIndex,
  mayUpdate: mayInstall,
  site: debianSite,
  async resolve(wanted) {
    const folder = mkdtempSync(join(tmpdir(), 'preflight-'));
    try {
      await listInSuite(wanted, folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
