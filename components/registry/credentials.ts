import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isObject } from '../../packages/lib/json.ts';
import { codeOf, messageOf } from '../../packages/lib/error.ts';
import { ProblemsError } from '../../packages/lib/problem.ts';

/** A user of a registry; an identity token is used in place of a password. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** The parts of Docker's configuration that are about registries. */
export interface DockerConfig {
  readonly auths?: Readonly<Record<string, { auth?: string; username?: string; password?: string }>>;
  readonly credHelpers?: Readonly<Record<string, string>>;
  readonly credsStore?: string;
}

/** Docker Hub has one name in image references and another in Docker's configuration. */
const HUB_KEYS = ['https://index.docker.io/v1/', 'index.docker.io', 'docker.io', 'registry-1.docker.io'];

/** Credentials for a registry as `docker login` left them: in `$DOCKER_CONFIG/config.json` or its helper programs. */
export async function dockerCredentials(
  host: string,
  directory = process.env.DOCKER_CONFIG ?? join(homedir(), '.docker'),
): Promise<Credentials | undefined> {
  return credentialsIn(await readConfig(join(directory, 'config.json')), host);
}

/** Credentials for a registry in a Docker configuration, such as a pull secret holds. */
export async function credentialsIn(config: DockerConfig, host: string): Promise<Credentials | undefined> {
  const keys =
    host === 'docker.io' ? HUB_KEYS : [host, `https://${host}`, `https://${host}/v1/`, `https://${host}/v2/`];
  for (const key of keys) {
    const helper = config.credHelpers?.[key];
    if (helper !== undefined) return askHelper(helper, key);
    const entry = config.auths?.[key];
    if (entry?.auth !== undefined) return decodeBasic(entry.auth);
    if (entry?.username !== undefined) return { username: entry.username, password: entry.password ?? '' };
  }
  const stored = keys.find((key) => config.auths?.[key] !== undefined);
  return config.credsStore === undefined || stored === undefined ? undefined : askHelper(config.credsStore, stored);
}

/** Whether a text is a Docker configuration with credentials in it. Never says why not: a reason would show parts of them. */
export function isDockerConfig(text: string): boolean {
  try {
    const config: unknown = JSON.parse(text);
    return isObject(config) && isObject(config['auths']) && Object.values(config['auths']).every(isObject);
  } catch {
    return false;
  }
}

/** The Authorization header of a user. */
export function basicAuthorization({ username, password }: Credentials): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

function decodeBasic(auth: string): Credentials {
  const text = Buffer.from(auth, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

async function readConfig(path: string): Promise<DockerConfig> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return '{}';
    throw unusable(path, `cannot be read: ${messageOf(error)}`);
  });
  return parseSecret(text, path) as DockerConfig;
}

/** Hides the parser's own message, which would show part of a text with passwords in it. */
function parseSecret(text: string, object: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unusable(object, 'is not valid JSON');
  }
}

function unusable(object: string, message: string): ProblemsError {
  return new ProblemsError([{ object, path: '', message, remedy: 'Run `docker login` again.' }]);
}

async function askHelper(helper: string, key: string): Promise<Credentials> {
  const program = `docker-credential-${helper}`;
  const output = await new Promise<string>((resolve, reject) => {
    const child = execFile(program, ['get'], (error, stdout) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${program} has no credentials for ${key}: ${error.message}`));
    });
    child.stdin?.end(key);
  });
  const answer = parseSecret(output, `the answer of ${program}`) as { Username: string; Secret: string };
  return { username: answer.Username, password: answer.Secret };
}
