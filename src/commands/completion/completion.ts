import type { Node } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import { completionScripts } from '../../describe/completions.ts';

interface Shell {
  name: keyof typeof completionScripts;
  /** The command that loads the script into the current shell. */
  load: string;
  /** The command that installs it for new shells. */
  install: string;
  note?: string;
}

const shells: Shell[] = [
  {
    name: 'bash',
    load: 'source <(docsctl completion bash)',
    install:
      'mkdir -p ~/.local/share/bash-completion/completions && docsctl completion bash > ~/.local/share/bash-completion/completions/docsctl',
  },
  {
    name: 'zsh',
    load: 'source <(docsctl completion zsh)',
    install: 'mkdir -p ~/.zfunc && docsctl completion zsh > ~/.zfunc/_docsctl',
    note: 'The folder must be in fpath before compinit runs: put "fpath+=~/.zfunc" in .zshrc.',
  },
  {
    name: 'fish',
    load: 'docsctl completion fish | source',
    install: 'mkdir -p ~/.config/fish/completions && docsctl completion fish > ~/.config/fish/completions/docsctl.fish',
  },
  {
    name: 'powershell',
    load: 'docsctl completion powershell | Out-String | Invoke-Expression',
    install: 'docsctl completion powershell > docsctl.ps1',
    note: 'To load the script from a file, put ". ./docsctl.ps1" in your $PROFILE.',
  },
];

const nodes: Node[] = shells.map(({ name, load, install, note }) =>
  command({
    use: name,
    summary: `Print the completion script for ${name}.`,
    description: `Completes commands, flags, values, profile names, and the IDs and titles of objects. Objects are not completed if .docsctl.yaml names a profile that you have not allowed in its folder. The command installs nothing. To load the script into the current shell:\n\n  ${load}${note === undefined ? '' : `\n\n${note}`}`,
    examples: {
      'Print the script': `docsctl completion ${name}`,
      'Install it for new shells': install,
    },
    seeAlso: ['help environment', 'config list', 'profiles allow'],
    run: async ({ io }) => io.out.write(completionScripts[name]),
  }),
);
export default nodes;
