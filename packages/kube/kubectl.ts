/** Which cluster a person means, in the words of kubectl. */
export interface ClusterReference {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
}

/** The start of a command that talks to this cluster whatever the shell's current context is. */
export function kubectlCommand({ kubeconfig, context }: ClusterReference): string {
  return [
    'kubectl',
    ...(kubeconfig === undefined ? [] : [`--kubeconfig=${kubeconfig}`]),
    ...(context === undefined ? [] : [`--context=${context}`]),
  ].join(' ');
}
