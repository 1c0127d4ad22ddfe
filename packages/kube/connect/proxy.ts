import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Environment } from './connection.ts';

/** The schemes of proxies that kubectl knows. */
export const PROXY_SCHEMES: readonly string[] = ['http', 'https', 'socks5', 'socks5h'];

/**
 * The proxy that the environment names for a server, by the rules of Go, which kubectl and Pulumi's provider follow. Servers in
 * networks that this machine is part of are reached without it, the embedded cluster among them.
 */
export function environmentProxy(server: URL, env: Environment, networks = ownNetworks()): string | undefined {
  const proxy = variable(env, server.protocol === 'http:' ? 'HTTP_PROXY' : 'HTTPS_PROXY');
  if (proxy === undefined || isDirect(server, [...networks, variable(env, 'NO_PROXY') ?? ''].join())) return undefined;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

function ownNetworks(): readonly string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return addresses.flatMap(({ cidr }) => cidr ?? []);
}

function variable(env: Environment, name: string): string | undefined {
  return env[name] || env[name.toLowerCase()] || undefined;
}

/** Whether a server is on this machine, or one of those that are reached without the proxy. */
function isDirect(server: URL, exceptions: string): boolean {
  const host = server.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (host === 'localhost' || (isIP(host) !== 0 && contains('127.0.0.0/8', host)) || host === '::1') return true;
  const port = server.port || (server.protocol === 'http:' ? '80' : '443');
  return exceptions
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== '')
    .some((entry) => matches(entry, host, port));
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return contains(entry, host);
  const [, name = '', onlyPort = port] =
    /^\[?(.*?)\]?(?::(\d+))?$/.exec(isIP(entry) === 6 ? `[${entry}]` : entry) ?? [];
  if (onlyPort !== port) return false;
  if (isIP(name) !== 0 || isIP(host) !== 0) return name === host;
  const domain = name.replace(/^\*(?=\.)/, '');
  return domain.startsWith('.') ? host.endsWith(domain) : host === domain || host.endsWith(`.${domain}`);
}

function contains(range: string, address: string): boolean {
  const [network = '', bits = ''] = range.split('/');
  const family = isIP(network) === 6 ? 'ipv6' : 'ipv4';
  const prefix = Number(bits);
  if (isIP(network) === 0 || isIP(address) !== isIP(network) || !/^\d+$/.test(bits)) return false;
  if (prefix > (family === 'ipv6' ? 128 : 32)) return false;
  const list = new BlockList();
  list.addSubnet(network, prefix, family);
  return list.check(address, family);
}
