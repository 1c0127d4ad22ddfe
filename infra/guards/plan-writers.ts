import {
  admits,
  describeUser,
  describeWriters,
  EVERYBODY,
  writersOf,
  type Identity,
  type Writers,
} from '../../components/guards/writers.ts';
import { WRITERS_GUARD } from '../../components/guards/writers-guard.ts';
import { kubectlCommand, type ClusterReference } from '../../packages/kube/kubectl.ts';
import { messageOf } from '../../packages/lib/error.ts';
import { names } from '../../packages/lib/message.ts';
import { formatProblem, ProblemsError, type Problem } from '../../packages/lib/problem.ts';
import { withCluster } from '../cluster/ask-cluster.ts';
import { readIdentity } from '../cluster/identity.ts';
import type { LiveState } from '../cluster/live-state.ts';
import type { Settings } from '../config/schema.ts';
import type { Log } from '../log.ts';

export interface WritersRequest {
  readonly settings: Settings;
  readonly cluster: ClusterReference;
  readonly live: Pick<LiveState, 'known' | 'writers'>;
  readonly preview: boolean;
  readonly log: Log;
}

const PATH = 'olm.writers';

/** The name of a role session on AWS, which ends with a name that is made up for each session. */
const SESSION = /^arn:aws[a-z-]*:sts::\d*:assumed-role\/[^/]+\/.+$/;

/**
 * Decides whom the guard admits: the list of the settings, and whoever runs this if the list does not name them.
 * Undefined means that there is no guard. Refuses to go on if the cluster's guard does not admit whoever runs this:
 * otherwise the update would fail half-way, at the first extension.
 */
export async function planWriters(request: WritersRequest): Promise<Writers | undefined> {
  const { settings, cluster, live, log } = request;
  const { writers: listed } = settings.olm;
  if (listed === undefined && live.writers === undefined) return undefined;
  if (!live.known) {
    log.info(
      `${PATH}: the user that \`up\` will run as is not known here. The guard of this preview admits the list alone.`,
    );
    return listed === undefined ? undefined : writersOf(listed);
  }
  const identity = await identify(cluster);
  if (live.writers !== undefined && !admits(live.writers, identity)) {
    refuseUp(request, notAdmitted(identity, live.writers, cluster));
    // Previews often have an account of their own. Those who applied the guard will do so again.
    return listed === undefined ? undefined : { ...writersOf(listed), appliers: live.writers.appliers };
  }
  if (listed === undefined) return undefined;
  const writers = writersOf(listed, identity);
  const refuses = settings.guards === 'deny';
  if (writers.appliers.length > 0) {
    if (SESSION.test(identity.username)) {
      const problem = ofSession(identity);
      if (refuses) refuseUp(request, problem);
      else log.warn(`With \`guards: deny\` \`up\` would be refused: ${formatProblem(problem)}`);
      return writersOf(listed);
    }
    log.warn(
      `${PATH}: the list does not name ${describeUser(identity.username)}, who is admitted only because they run this. ` +
        `\`up\` under another name will ${refuses ? 'be refused' : 'cause warnings'}. ${listGroup(identity)}`,
    );
  }
  log.info(
    refuses
      ? `ClusterExtensions and ClusterCatalogs may be written by: ${describeWriters(writers)}.`
      : `The guard warns whoever writes ClusterExtensions and ClusterCatalogs, except: ${describeWriters(writers)}.`,
  );
  return writers;
}

/** A preview may have an account of its own, and goes on. */
function refuseUp({ preview, log }: WritersRequest, problem: Problem): void {
  if (!preview) throw new ProblemsError([problem]);
  log.warn(`\`up\` would be refused if it ran as the user of this preview: ${formatProblem(problem)}`);
}

async function identify(cluster: ClusterReference): Promise<Identity> {
  try {
    return await withCluster(cluster, readIdentity);
  } catch (error) {
    throw new ProblemsError([
      {
        path: PATH,
        message: `cannot be applied: the user that this runs as could not be determined, and you might lock yourself out: ${messageOf(error)}`,
        remedy:
          'Try `kubectl auth whoami`. A role may have to grant create on selfsubjectreviews.authentication.k8s.io.',
      },
    ]);
  }
}

/** The groups that tell somebody apart from everybody. */
function distinctiveGroups({ groups }: Identity): string[] {
  return groups.filter((group) => !EVERYBODY.includes(`Group ${group}`));
}

function listGroup(identity: Identity): string {
  const groups = distinctiveGroups(identity);
  return groups.length === 0 ? 'List a group.' : `List a group of theirs: ${names(groups)}.`;
}

function ofSession(identity: Identity): Problem {
  return {
    path: PATH,
    value: describeUser(identity.username),
    message: 'is not on the list, and is the name of one session: the guard would refuse the next one',
    remedy:
      `${listGroup(identity)} The access entry of the role in EKS decides on its groups (kubernetesGroups). It can also give the role ` +
      'a username without the session, which can be listed as `User <name>`.',
  };
}

function notAdmitted(identity: Identity, live: Writers, cluster: ClusterReference): Problem {
  const { username } = identity;
  const groups = distinctiveGroups(identity);
  const kubectl = kubectlCommand(cluster);
  const orGroup = groups.length === 0 ? '' : ` or one of its groups (${names(groups)})`;
  return {
    path: PATH,
    value: describeUser(username),
    message: `is not admitted by the guard in the cluster, which would refuse its changes to ClusterExtensions and ClusterCatalogs. Admitted: ${describeWriters(live)}`,
    remedy:
      `Let one of those add ${describeUser(username)}${orGroup} to ${PATH}, and run \`up\`. If none of them is left, run ` +
      `\`${kubectl} delete validatingadmissionpolicybinding ${WRITERS_GUARD}\`, then \`pulumi up --refresh\`.`,
  };
}
