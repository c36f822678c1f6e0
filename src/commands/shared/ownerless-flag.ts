export const ownerlessFlag = {
  flags: '--allow-ownerless',
  description: 'allow teams that have no owner afterwards',
} as const;
