import type { Node } from '../../cli/command/command.ts';
import { completionScripts } from '../../describe/completions.ts';

const install: Record<keyof typeof completionScripts, string> = {
  bash: 'source <(docsctl completion bash)',
  zsh: 'source <(docsctl completion zsh)',
  fish: 'docsctl completion fish | source',
  powershell: 'docsctl completion powershell | Out-String | Invoke-Expression',
};

/** How it is installed for good: where the shell looks for it by itself. */
const kept: Record<keyof typeof completionScripts, string> = {
  bash: 'mkdir -p ~/.local/share/bash-completion/completions && docsctl completion bash > ~/.local/share/bash-completion/completions/docsctl',
  zsh: 'mkdir -p ~/.zfunc && docsctl completion zsh > ~/.zfunc/_docsctl',
  fish: 'mkdir -p ~/.config/fish/completions && docsctl completion fish > ~/.config/fish/completions/docsctl.fish',
  powershell: 'docsctl completion powershell > docsctl.ps1',
};

const afterwards: Partial<Record<keyof typeof completionScripts, string>> = {
  zsh: '\n\nA folder for it must be in fpath before compinit: "fpath+=~/.zfunc" in .zshrc.',
  powershell: '\n\nA file of it is taken in by ". ./docsctl.ps1" in your $PROFILE.',
};

const nodes: Node[] = (Object.keys(completionScripts) as (keyof typeof completionScripts)[]).map((shell) => ({
  use: shell,
  help: {
    summary: `Print the completion script for ${shell}.`,
    description: `It completes commands, flags, words, profile names, and ids with their titles from the service; no ids where .docsctl.yaml names a profile that is not allowed in its folder. Nothing is installed by this. For the shell you are in:\n\n  ${install[shell]}${afterwards[shell] ?? ''}`,
    examples: [
      { run: `docsctl completion ${shell}`, does: 'Print it' },
      { run: kept[shell], does: 'Keep it for new shells' },
    ],
    seeAlso: ['help environment', 'config list', 'profiles allow'],
  },
  run: async ({ io }) => io.out.write(completionScripts[shell]),
}));
export default nodes;
