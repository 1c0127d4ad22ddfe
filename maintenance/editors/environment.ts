import { type JsonSchema, shapeJson } from '../../infra/config/field.ts';
import { PROJECT } from '../../infra/config/project.ts';
import { SETTINGS } from '../../infra/config/schema.ts';

/** What editors know of a `Pulumi.<name>.yaml`: the settings from which the program reads them, and what Pulumi adds. */
export function environmentSchema(): JsonSchema {
  const { properties } = shapeJson(SETTINGS);
  const settings = Object.entries(properties as Readonly<Record<string, JsonSchema>>);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'An environment of an inference stack fleet',
    type: 'object',
    properties: {
      config: {
        description: `Settings, each as ${PROJECT}:<name>. Others, such as those of providers, are Pulumi's.`,
        type: 'object',
        properties: Object.fromEntries(settings.map(([name, schema]) => [`${PROJECT}:${name}`, schema])),
        // A slip in a name is found, and what belongs to other programs is left alone.
        patternProperties: { [`^(?!${PROJECT}:)[^:]+:`]: {} },
        additionalProperties: false,
      },
      secretsprovider: { description: 'What encrypts secrets. Written by Pulumi.', type: 'string' },
      encryptionsalt: { description: 'Written by Pulumi.', type: 'string' },
      encryptedkey: { description: 'Written by Pulumi.', type: 'string' },
      environment: { description: "Environments of Pulumi's service to import." },
    },
    additionalProperties: false,
  };
}
