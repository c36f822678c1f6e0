interface Kind {
  /** Whether the block has an end tag: always, where one follows, or never. */
  end: 'always' | 'optional' | 'never';
  /** May stand inside the text of a paragraph. */
  inline?: boolean;
  /** The block it is part of: the next one of its name ends it. */
  within?: string;
}

/** The blocks that are drawn. Others are shown as their text, with a mark. */
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

/** Blocks of other programs, such as `@mermaid/diagram`, and those that nobody knows. */
const other: Kind = { end: 'optional', inline: true };

export function kindOf(name: string): Kind {
  return (Object.hasOwn(kinds, name) ? kinds[name] : undefined) ?? other;
}

export function isDrawn(name: string): boolean {
  return Object.hasOwn(kinds, name) || name.startsWith('@') || name === 'branch';
}
