import { messageOf } from '../../packages/lib/error.ts';
import { newLogger } from '../../packages/kube/process/log.ts';

/**
 * The program has modes, and each loads only what it needs: who asks for what it renders, by stacks of people and with few
 * permissions, gets no client of the Kubernetes API. docs/reference/render-contract.md has that mode. A release asks for the metrics.
 */
async function main([mode]: readonly string[]): Promise<void> {
  if (mode === undefined) {
    const { operate } = await import('./operate.ts');
    await operate().catch((error: unknown) => {
      newLogger().error('The operator cannot run.', { error });
      process.exitCode = 1;
    });
    return;
  }
  if (mode === 'render') {
    const { answerLines } = await import('./render/answer-lines.ts');
    process.exitCode = await answerLines(process.stdin, process.stdout);
    return;
  }
  if (mode === 'metrics') {
    const { describeMetrics } = await import('./metrics.ts');
    describeMetrics(process.stdout);
    return;
  }
  process.stderr.write(`${mode} is not a mode of this program: use render, metrics, or nothing to run the operator.\n`);
  process.exitCode = 2;
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
});
