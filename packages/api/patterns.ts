import type { Schema } from './schema.ts';

/** Every pattern of the API in words. A test holds the list complete: nobody should have to read a regular expression. */
const WORDS: Readonly<Record<string, readonly [message: string, remedy: string]>> = {
  '^sha256:[0-9a-f]{64}$': [
    "must be 'sha256:' and 64 hexadecimal digits",
    'Copy it from what the push prints, or `docker buildx imagetools inspect IMAGE`.',
  ],
  '^[0-9]{1,3}%$': ['must be a number or a percentage', 'Write it like 1 or 25%.'],
  '^(operator|[1-9][0-9]{0,3})$': ["must be the number of a revision, or 'operator'", 'Write it like 1.'],
  '^[1-9][0-9]{0,9}(Mi|Gi|M|G)$': ['must be an amount of memory in Mi or Gi', 'Write it like 8Gi.'],
  '^[1-9][0-9]{0,6}(Mi|Gi)$': ['must be an amount of memory in Mi or Gi', 'Write it like 40Gi.'],
  '^[1-9][0-9]{0,9}(Mi|Gi|Ti|M|G|T)$': ['must be an amount of storage in Mi, Gi or Ti', 'Write it like 200Gi.'],
  '^[a-z0-9]([-a-z0-9.]*[a-z0-9])?/[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$': [
    'must be the name of an extended resource',
    'Write it like nvidia.com/gpu.',
  ],
  '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$': [
    "must consist of lower-case letters, digits and '-', and start and end with a letter or digit",
    'Write it like models.',
  ],
  '^([a-z0-9]([-a-z0-9]*[a-z0-9])?)?$': [
    "must consist of lower-case letters, digits and '-', and start and end with a letter or digit",
    'Write it like chat, or leave it out.',
  ],
  '^([a-z]([-a-z0-9]*[a-z0-9])?)?$': [
    "must consist of lower-case letters, digits and '-', start with a letter and not end with '-'",
    'Write it like chat, or leave it out.',
  ],
  '^([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$': [
    "must consist of lower-case letters, digits, '-' and '.', and start and end with a letter or digit",
    'Write it like chat, or leave it out.',
  ],
  '^[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?$': [
    "must consist of letters, digits, '-', '_' and '.', and start and end with a letter or digit",
    'Write it like 0.22.0.',
  ],
  '^/': ["must start with '/'", 'Write it like /v1.'],
  '^https?://[^ ]+$': ['must be a URL of http or https', 'Write it like http://10.0.0.7:8000.'],
};

/** What a text has to be, without its pattern. */
export function patternMessage({ pattern = '' }: Schema): string {
  return WORDS[pattern]?.[0] ?? 'is not written as it should be';
}

/** An example of a text that matches, that of the field's description where it has one. */
export function patternRemedy({ pattern = '', description = '' }: Schema): string | undefined {
  const example = /e\.g\. `([^`]+)`/.exec(description)?.[1];
  return example === undefined ? WORDS[pattern]?.[1] : `Write it like ${example}.`;
}
