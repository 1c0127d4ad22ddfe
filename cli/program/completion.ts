import type { CommandUnknownOpts } from '@commander-js/extra-typings';

/** One place in the command line where words can be completed. */
interface Place {
  readonly path: string;
  readonly words: readonly string[];
}

/** A script for bash, or zsh, which completes commands and options. What follows an option is a file to the shell. */
export function completionScript(fleet: CommandUnknownOpts, shell: 'bash' | 'zsh'): string {
  const places = placesOf(fleet, fleet.name());
  const paths = places.slice(1).map(({ path }) => `"${path}"`);
  const cases = places.map(({ path, words }) => `    "${path}") words="${words.join(' ')}" ;;`);
  return `${shell === 'zsh' ? 'autoload -U bashcompinit && bashcompinit\n' : ''}_fleet() {
  local path=fleet word words=
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in ${paths.join('|')}) path="$path $word" ;; esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _fleet fleet
`;
}

function placesOf(command: CommandUnknownOpts, path: string): readonly Place[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const options = help.visibleOptions(command).flatMap(({ short, long }) => [short, long]);
  const words = [...commands.map((each) => each.name()), ...options].filter((word) => word !== undefined);
  return [{ path, words }, ...commands.flatMap((each) => placesOf(each, `${path} ${each.name()}`))];
}
