import type { Problem } from '../../packages/lib/problem.ts';
import type { Planned } from '../plan.ts';
import { shownAddress } from '../pinned-file.ts';
import { projectPage } from '../pypi.ts';
import { crateAddress } from '../rust-build.ts';
import type { Ask } from './go-modules.ts';

/** An address of a registry that has to answer. */
export interface WantedFile {
  readonly object: string;
  readonly url: string;
}

/** Crates, and the pages that list wheels and source archives. */
export function wantedFiles(toMake: readonly Pick<Planned, 'program'>[]): WantedFile[] {
  return toMake.flatMap(({ program }) => {
    const { crate, wheel, sdist, version = '' } = program;
    if (crate !== undefined) return [{ object: `crate ${crate} ${version}`, url: crateAddress(program) }];
    if (wheel !== undefined) return [{ object: `wheel ${wheel} ${version}`, url: projectPage(wheel) }];
    return sdist === undefined ? [] : [{ object: `sdist ${sdist} ${version}`, url: projectPage(sdist) }];
  });
}

/** Addresses that do not answer, or not with a file. One that answers late gets the benefit of the doubt. */
export async function fileProblems(wanted: readonly WantedFile[], ask: Ask): Promise<Problem[]> {
  const answers = await ask(wanted.map(({ url }) => url));
  return wanted.flatMap(({ object, url }): Problem[] => {
    const { status = 200, failure } = answers.get(url) ?? {};
    if (failure === undefined && status < 400) return [];
    const message = `cannot be fetched: ${failure ?? `HTTP ${status}`}`;
    return [{ object, path: 'address', value: shownAddress(url), message, remedy: 'Check the network.' }];
  });
}
