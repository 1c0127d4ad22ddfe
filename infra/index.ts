import * as pulumi from '@pulumi/pulumi';
import { useStackTracesOfNode } from '../packages/lib/stack-traces.ts';
import { checkout } from '../packages/lib/checkout.ts';
import { ProblemsError } from '../packages/lib/problem.ts';
import { SETTINGS_FILE_VARIABLE } from './config/project.ts';
import { controllerProblems } from './images/packed-controller.ts';
import { program } from './program.ts';
import type { FleetOutputs } from './outputs.ts';

useStackTracesOfNode();

/** What Pulumi runs. Problems that a person can act on are shown without a stack trace. */
export default async (): Promise<FleetOutputs> => {
  try {
    return await program({
      environment: pulumi.getStack(),
      config: pulumi.runtime.allConfig(),
      settingsFile: process.env[SETTINGS_FILE_VARIABLE],
      checkout,
      preview: pulumi.runtime.isDryRun(),
      checkController: controllerProblems,
      now: new Date(),
      log: {
        info: (message) => void pulumi.log.info(message),
        warn: (message) => void pulumi.log.warn(message),
      },
    });
  } catch (error) {
    throw error instanceof ProblemsError ? new pulumi.RunError(error.message) : error;
  }
};
