import { isObject, listAt, objectAt, objectsAt, textAt, valueAt, type OpenObject } from '../../lib/json.ts';
import type { Problem } from '../../lib/problem.ts';
import { isEmpty } from '../../lib/values.ts';
import { VOLUME_SOURCES } from '../../api/volume.ts';
import { DNS_LABEL, formProblems, keyProblems, labelProblems, PORT_NAME, VARIABLE } from '../../api/text-forms.ts';

/*
 * What the API server asks beyond the types of fields, and what the kubelet asks beyond that. Each takes the value of one part, whose
 * structure is sound.
 */

const HANDLERS = ['httpGet', 'tcpSocket', 'exec', 'grpc'] as const;

export function probeProblems(probe: unknown, path: string): Problem[] {
  const handlers = HANDLERS.filter((handler) => given(valueAt(probe, handler)));
  const [, second] = handlers;
  const port = valueAt(probe, 'httpGet', 'port') ?? valueAt(probe, 'tcpSocket', 'port');
  const command = valueAt(probe, 'exec', 'command');
  const isSilent = handlers.length === 0 && !isEmpty(probe);
  return [
    ...(isSilent
      ? [{ path, message: 'names no way to ask', remedy: 'Write one of httpGet, tcpSocket, exec and grpc.' }]
      : []),
    ...(second === undefined
      ? []
      : [
          {
            path: `${path}.${second}`,
            message: `is a second way to ask, beside ${handlers[0] ?? ''}`,
            remedy: 'Leave one.',
          },
        ]),
    ...(typeof port === 'string' ? formProblems(port, `${path}.${handlers[0] ?? ''}.port`, PORT_NAME) : []),
    ...(Array.isArray(command) && command.length === 0
      ? [{ path: `${path}.exec.command`, message: 'is empty', remedy: 'Say what to run.' }]
      : []),
  ];
}

export function tolerationProblems(tolerations: unknown, path: string): Problem[] {
  return objectsAt(tolerations).flatMap((toleration, index) => {
    const at = `${path}[${index}]`;
    const { key = '', operator = 'Equal', value = '', effect, tolerationSeconds } = toleration;
    const problems: Problem[] = key === '' ? [] : keyProblems(String(key), `${at}.key`);
    if (key === '' && operator !== 'Exists') {
      const remedy = 'Name the key, or write operator: Exists for every taint.';
      problems.push({ path: `${at}.operator`, value: operator, message: 'needs a key', remedy });
    }
    if (operator === 'Exists' && given(value) && value !== '') {
      const remedy = 'Leave the value out, or write operator: Equal.';
      problems.push({ path: `${at}.value`, value, message: 'must be empty where operator is Exists', remedy });
    }
    if (tolerationSeconds !== undefined && tolerationSeconds !== null && effect !== 'NoExecute') {
      const remedy = 'Write effect: NoExecute, or leave the seconds out.';
      const message = 'are for the effect NoExecute only';
      problems.push({ path: `${at}.tolerationSeconds`, value: tolerationSeconds, message, remedy });
    }
    return problems;
  });
}

export function envProblems(env: unknown, path: string): Problem[] {
  return objectsAt(env).flatMap((variable, index) => {
    const at = `${path}[${index}]`;
    const source = valueAt(variable, 'valueFrom');
    const sources = Object.keys(isObject(source) ? source : {}).filter((name) => given(valueAt(source, name)));
    const problems = formProblems(variable['name'], `${at}.name`, VARIABLE);
    if (given(source) && sources.length !== 1) {
      const message = sources.length === 0 ? 'names no source' : `names ${sources.length} sources`;
      const remedy = 'Write one of secretKeyRef, configMapKeyRef, fieldRef and resourceFieldRef.';
      problems.push({ path: `${at}.valueFrom`, message, remedy });
    }
    return problems;
  });
}

export function portProblems(ports: unknown, path: string): Problem[] {
  const names = objectsAt(ports).map((port) => textAt(port, 'name'));
  return objectsAt(ports).flatMap((port, index) => [
    ...formProblems(port['name'], `${path}[${index}].name`, PORT_NAME),
    ...twice(names, index, `${path}[${index}].name`),
  ]);
}

export function volumeProblems(volumes: unknown, path: string): Problem[] {
  const names = objectsAt(volumes).map((volume) => textAt(volume, 'name'));
  return objectsAt(volumes).flatMap((volume, index) => {
    const at = `${path}[${index}]`;
    const sources = VOLUME_SOURCES.filter((source) => given(volume[source]));
    const problems = [...formProblems(volume['name'], `${at}.name`, DNS_LABEL), ...twice(names, index, `${at}.name`)];
    if (sources.length > 1) {
      const message = `has ${sources.length} sources (${sources.join(', ')})`;
      problems.push({ path: at, message, remedy: 'Leave one of them.' });
    }
    return problems;
  });
}

export function mountProblems(mounts: unknown, path: string): Problem[] {
  const paths = objectsAt(mounts).map((mount) => textAt(mount, 'mountPath'));
  return objectsAt(mounts).flatMap((mount, index) => {
    const at = `${path}[${index}]`;
    const problems = twice(paths, index, `${at}.mountPath`);
    if (/(?:^|\/)\.\.(?:\/|$)/.test(textAt(mount, 'subPath'))) {
      const value = mount['subPath'];
      problems.push({
        path: `${at}.subPath`,
        value,
        message: "must not contain '..'",
        remedy: 'Name a folder of the volume.',
      });
    }
    return problems;
  });
}

/** Node affinity; the requirements of other pods are judged by their types alone. */
export function affinityProblems(affinity: unknown, path: string): Problem[] {
  const required = ['nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms'] as const;
  const at = `${path}.${required.join('.')}`;
  const terms = valueAt(affinity, ...required);
  const none = Array.isArray(terms) && terms.length === 0;
  return [
    ...(none
      ? [{ path: at, message: 'is empty, which no node meets', remedy: 'Say what a node must have, or leave it out.' }]
      : []),
    ...listAt(terms).flatMap((term, index) =>
      objectsAt(term, 'matchExpressions').flatMap((each, place) =>
        expressionProblems(each, `${at}[${index}].matchExpressions[${place}]`),
      ),
    ),
  ];
}

function expressionProblems(expression: OpenObject, path: string): Problem[] {
  const { operator } = expression;
  const values = listAt(expression, 'values');
  const problems = keyProblems(textAt(expression, 'key'), `${path}.key`);
  const remedyOfNone = 'Leave the values out.';
  if ((operator === 'In' || operator === 'NotIn') && values.length === 0) {
    problems.push({ path: `${path}.values`, message: `is needed for ${operator}`, remedy: 'Write a list of values.' });
  } else if ((operator === 'Exists' || operator === 'DoesNotExist') && values.length > 0) {
    problems.push({
      path: `${path}.values`,
      value: values,
      message: `must be empty for ${operator}`,
      remedy: remedyOfNone,
    });
  } else if ((operator === 'Gt' || operator === 'Lt') && (values.length !== 1 || !/^-?\d+$/.test(String(values[0])))) {
    const remedy = "Write one number in quotes, such as ['40000'].";
    problems.push({
      path: `${path}.values`,
      value: values,
      message: `must be one whole number for ${operator}`,
      remedy,
    });
  }
  return problems;
}

export function spreadProblems(constraints: unknown, path: string): Problem[] {
  return objectsAt(constraints).flatMap((constraint, index) => [
    ...keyProblems(textAt(constraint, 'topologyKey'), `${path}[${index}].topologyKey`),
    ...labelProblems(
      objectAt(constraint, 'labelSelector', 'matchLabels'),
      `${path}[${index}].labelSelector.matchLabels`,
    ),
  ]);
}

/** The kubelet starts no container of a user that it has been told not to start. */
export function userProblems(context: unknown, path: string): Problem[] {
  const { runAsNonRoot, runAsUser, privileged, allowPrivilegeEscalation } = objectAt(context);
  const problems: Problem[] = [];
  if (runAsNonRoot === true && runAsUser === 0) {
    const remedy = 'Choose another user, or leave runAsNonRoot out.';
    problems.push({ path: `${path}.runAsUser`, value: 0, message: 'is root, which runAsNonRoot forbids', remedy });
  }
  if (privileged === true && allowPrivilegeEscalation === false) {
    const remedy = 'Leave one of them out.';
    const message = 'contradicts privileged: true';
    problems.push({ path: `${path}.allowPrivilegeEscalation`, value: false, message, remedy });
  }
  return problems;
}

function twice(names: readonly string[], index: number, path: string): Problem[] {
  const [value = ''] = names.slice(index, index + 1);
  if (value === '' || names.indexOf(value) === index) return [];
  return [{ path, value, message: 'appears twice', remedy: 'Choose another for one of them.' }];
}

function given(value: unknown): boolean {
  return value !== undefined && value !== null;
}
