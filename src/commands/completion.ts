import type { Node } from '../cli/tree.ts';
import { completionScripts } from '../generate/completions.ts';

const install: Record<keyof typeof completionScripts, string> = {
  bash: 'source <(docsctl completion bash)',
  zsh: 'source <(docsctl completion zsh)',
  fish: 'docsctl completion fish | source',
  powershell: 'docsctl completion powershell | Out-String | Invoke-Expression',
};

const nodes: Node[] = (Object.keys(completionScripts) as (keyof typeof completionScripts)[]).map((shell) => ({
  use: shell,
  summary: `Print the completion script for ${shell}.`,
  description: `It completes commands, flags, words, profile names, and ids with their titles from the service. For this
session, and in your shell's start-up file for all: ${install[shell]}`,
  examples: [{ run: `docsctl completion ${shell}`, does: 'Print it' }],
  run: async ({ io }) => io.out.write(completionScripts[shell]),
}));
export default nodes;
