/** Clients whose configuration docsctl knows. */
export const clientNames = [
  'claude-code',
  'claude-desktop',
  'codex',
  'cursor',
  'gemini-cli',
  'vscode',
  'windsurf',
  'zed',
] as const;

export type ClientName = (typeof clientNames)[number];
