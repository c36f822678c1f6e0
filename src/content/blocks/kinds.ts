interface Kind {
  /** Whether the block has an end tag. Optional: only if one follows. */
  end: 'always' | 'optional' | 'never';
  /** Allowed inside a paragraph. */
  inline?: boolean;
  /** The block it is part of. It ends at the next part of the same name. */
  within?: string;
}

/** The supported blocks. Others are shown as text, with a mark. */
const kinds: Readonly<Record<string, Kind>> = {
  hint: { end: 'always' },
  tabs: { end: 'always' },
  tab: { end: 'always', within: 'tabs' },
  code: { end: 'always' },
  stepper: { end: 'always' },
  step: { end: 'always', within: 'stepper' },
  columns: { end: 'always' },
  column: { end: 'always', within: 'columns' },
  updates: { end: 'always' },
  update: { end: 'always', within: 'updates' },
  prompt: { end: 'always' },
  if: { end: 'always', inline: true },
  'content-ref': { end: 'optional' },
  embed: { end: 'optional' },
  file: { end: 'optional' },
  include: { end: 'optional', inline: true },
  openapi: { end: 'optional' },
  'openapi-operation': { end: 'optional' },
  'openapi-schemas': { end: 'optional' },
  'openapi-webhook': { end: 'optional' },
  swagger: { end: 'optional' },
};

/** Blocks of integrations, such as `@mermaid/diagram`, and unknown ones. */
const other: Kind = { end: 'optional', inline: true };

export function kindOf(name: string): Kind {
  return (Object.hasOwn(kinds, name) ? kinds[name] : undefined) ?? other;
}

export function isDrawn(name: string): boolean {
  return Object.hasOwn(kinds, name) || name.startsWith('@') || name === 'branch';
}
