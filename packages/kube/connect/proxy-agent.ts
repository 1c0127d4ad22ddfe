import type { Agent } from 'node:http';
import type { AgentOptions } from 'node:https';
import { checkServerIdentity } from 'node:tls';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { SocksProxyAgent } from 'socks-proxy-agent';

/** An agent whose connections to the API server lead through a proxy. In a file of its own, since few need the two libraries. */
export function proxyAgent(proxy: URL, server: URL, options: AgentOptions): Agent {
  const { ca, cert, key, servername, rejectUnauthorized, ...pool } = options;
  // A proxy over TLS is trusted by the same authorities as the API server, but has its own name and gets no client certificate.
  const agent = proxy.protocol.startsWith('socks')
    ? new SocksProxyAgent(proxy, pool)
    : new HttpsProxyAgent(proxy, { ...pool, ca, rejectUnauthorized });
  const host = server.hostname.replace(/^\[|\]$/g, '');
  Object.assign(agent.options, {
    ca,
    cert,
    key,
    servername,
    rejectUnauthorized,
    // The libraries do not pass the host on, so Node would look for the proxy's name in the certificate of a server without one.
    checkServerIdentity: (_: string, certificate: Parameters<typeof checkServerIdentity>[1]) =>
      checkServerIdentity(servername ?? host, certificate),
  });
  // Otherwise the libraries read it from a stack trace with every request.
  agent.protocol = server.protocol;
  return agent;
}
