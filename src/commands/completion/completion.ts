import type { Node } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import { programFile } from '../../shared/program-files.ts';

interface Shell {
  name: string;
  /** The name of the script in `completions/`. */
  file: string;
  /** The command that loads the script into the current shell. */
  load: string;
  /** The command that installs it for new shells. */
  install: string;
  note?: string;
}

const shells: Shell[] = [
  {
    name: 'bash',
    file: 'docsctl.bash',
    load: 'source <(docsctl completion bash)',
    install:
      'mkdir -p ~/.local/share/bash-completion/completions && docsctl completion bash > ~/.local/share/bash-completion/completions/docsctl',
  },
  {
    name: 'zsh',
    file: '_docsctl',
    load: 'source <(docsctl completion zsh)',
    install: 'mkdir -p ~/.zfunc && docsctl completion zsh > ~/.zfunc/_docsctl',
    note: 'The folder must be in fpath before compinit runs: put "fpath+=~/.zfunc" in .zshrc.',
  },
  {
    name: 'fish',
    file: 'docsctl.fish',
    load: 'docsctl completion fish | source',
    install: 'mkdir -p ~/.config/fish/completions && docsctl completion fish > ~/.config/fish/completions/docsctl.fish',
  },
  {
    name: 'powershell',
    file: 'docsctl.ps1',
    load: 'docsctl completion powershell | Out-String | Invoke-Expression',
    install: 'docsctl completion powershell > docsctl.ps1',
    note: 'To load the script from a file, put ". ./docsctl.ps1" in your $PROFILE.',
  },
];

const nodes: Node[] = shells.map(({ name, file, load, install, note }) =>
  command({
    use: name,
    changes: [],
    prints: 'text',
    summary: `Print the completion script for ${name}.`,
    description: `Completes commands, flags, values, profile names, and the IDs and titles of objects. Objects are not completed if .docsctl.yaml names a profile that you have not allowed in its folder. The command installs nothing. To load the script into the current shell:\n\n  ${load}${note === undefined ? '' : `\n\n${note}`}`,
    examples: { 'Print the script': `docsctl completion ${name}`, 'Install it for new shells': install },
    seeAlso: ['help environment', 'config list', 'profiles allow'],
    run: async ({ io }) => io.out.write(programFile(`completions/${file}`)),
  }),
);
export default nodes;
