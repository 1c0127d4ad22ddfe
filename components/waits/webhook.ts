import { shortened } from '../../packages/lib/message.ts';

/** What the API server says when a webhook that it has to call does not answer. */
const CALL = /failed calling webhook "(?<name>[^"]+)": (?:failed to call webhook: )?(?<cause>.*)$/s;

const REQUEST = /^Post "https:\/\/(?<service>[^./"]+)\.(?<namespace>[^./"]+)\.svc[^"]*": /;

/** Room for the API server's own words in a line. */
const CAUSE_LIMIT = 160;

/** Says that a webhook cannot be called, and what to do; undefined if the text is about something else. */
export function webhookTrouble(text: string): { readonly message: string; readonly remedy: string } | undefined {
  const { name, cause } = CALL.exec(text)?.groups ?? {};
  if (name === undefined || cause === undefined) return undefined;
  const { service, namespace } = REQUEST.exec(cause)?.groups ?? {};
  const why = shortened(cause.replace(REQUEST, ''), CAUSE_LIMIT);
  const of = service === undefined || namespace === undefined ? '' : ` of Service ${namespace}/${service}`;
  return {
    message: `the API server cannot call the webhook ${name}${of}: ${why}`,
    remedy: remedyFor(why, namespace),
  };
}

function remedyFor(cause: string, namespace: string | undefined): string {
  if (/x509|certificate|tls:/i.test(cause)) {
    return 'Renew the certificate that the webhook serves, or the caBundle of its configuration.';
  }
  if (/deadline exceeded|timeout/i.test(cause)) {
    return 'Let the control plane reach the pods of the webhook: a firewall or a NetworkPolicy may be in the way.';
  }
  const where = namespace === undefined ? '' : ` (kubectl get pods --namespace=${namespace})`;
  return `Start the pods behind the webhook${where}, or delete its configuration if nothing runs it any more.`;
}
