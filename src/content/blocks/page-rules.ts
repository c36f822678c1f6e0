/** The rules for pages, by name. */
export const pageRules = {
  'unknown-block': 'A block that does not exist. Its tag is shown as text.',
  'integration-block': 'A block of an integration. Only its name, or a link to its content, is shown.',
  'other-markdown': 'Markdown of another tool, which is shown as text.',
  'unclosed-block': 'A block without an end tag.',
  'unopened-block': 'An end tag without a start tag.',
  'unreadable-tag': 'A tag whose arguments cannot be parsed.',
  'misplaced-block': 'A part of a block outside of the block, such as a tab outside of tabs.',
  'missing-argument': 'A block without a required argument.',
  'deep-nesting': 'Blocks that are nested too deeply to be shown.',
  'broken-link': 'A link to a page or file that does not exist.',
  'missing-anchor': 'A link to a heading that does not exist.',
  'missing-file': 'An image or file that does not exist.',
  'missing-include': 'A reusable text that does not exist.',
  'include-cycle': 'A reusable text that includes itself, or that is nested more than 10 levels deep.',
  'bad-expression': 'An expression or condition that cannot be evaluated.',
  'missing-spec': 'An OpenAPI specification, operation or schema that does not exist.',
  'remote-image': 'An image on another host, which is shown as a link.',
  'unknown-icon': 'An icon that does not exist.',
  'bad-formula': 'A formula that cannot be parsed.',
  'bad-date': 'A date that is not in the format 2026-01-31.',
  'unknown-tag': 'An HTML tag that does not exist. It is shown as text.',
  'unsafe-html': 'HTML that is skipped because it could run code or load something.',
  'duplicate-anchor': 'Two headings of the page with the same anchor.',
} as const satisfies Record<string, string>;

export type PageRule = keyof typeof pageRules;

/** Rules that are only checked on request, because the text is right in another place. */
export const optionalRules: ReadonlySet<PageRule> = new Set(['integration-block', 'other-markdown']);
