import type { Element, Nodes } from 'hast';
import { defaultSchema, type Schema } from 'hast-util-sanitize';
import { words } from '../../shared/words.ts';
import { isSafeAddress, schemes } from './safe-address.ts';

/** What authors can write in HTML. Classes and data attributes are evaluated, but not copied to the page. */
export const schema: Schema = {
  ...defaultSchema,
  // The renderer's placeholders are comments while HTML is sanitized. Comments from authors are removed before.
  allowComments: true,
  clobber: [],
  attributes: {
    '*': words('align id lang dir title width height colSpan rowSpan vAlign scope dataFullWidth dataWithFrame'),
    a: words(`
      href className dataIcon dataMention dataAction dataQuery dataFootnoteRef dataFootnoteBackref ariaDescribedBy
      ariaLabel
    `),
    abbr: ['title'],
    audio: ['src'],
    button: ['className', 'dataIcon', 'dataAction', 'dataQuery'],
    code: ['className'],
    details: ['open'],
    embed: ['src'],
    figure: ['className'],
    i: ['className'],
    iframe: ['src', 'title'],
    img: ['src', 'alt', 'dataSize', 'className', 'width', 'height'],
    input: [['disabled', true], ['type', 'checkbox'], 'checked'],
    li: [['className', 'task-list-item']],
    mark: ['style'],
    ol: ['start', 'reversed', 'type', ['className', 'contains-task-list']],
    picture: [],
    pre: ['className', 'dataTitle', 'dataOverflow', 'dataLineNumbers', 'dataExpandable'],
    section: ['dataFootnotes', ['className', 'footnotes']],
    source: ['src', 'srcSet', 'media'],
    span: ['className', 'style', 'dataOption', 'dataTag', 'dataCode', 'dataGbCustomInline', 'dataIcon'],
    table: ['dataView', 'dataCardSize', 'dataHeaderHidden', 'dataColumnTitleHidden', 'dataCardWrap'],
    td: ['align', 'vAlign'],
    th: words(`
      align vAlign width dataHidden dataType dataCardTarget dataCardCover dataCardCoverDark dataCardCoverObjectFit
    `),
    time: ['dateTime'],
    ul: [['className', 'contains-task-list']],
    video: ['src'],
  },
  protocols: { href: schemes, src: ['http', 'https', 'data'], srcSet: [] },
  required: { input: { disabled: true, type: 'checkbox' } },
  strip: words(`
    script style svg math template noscript object title textarea xmp noembed noframes plaintext select applet frameset
  `),
  tagNames: [
    ...(defaultSchema.tagNames ?? []),
    ...words(`
      abbr address article aside audio bdi bdo button caption center cite col colgroup dfn embed figcaption figure
      footer header iframe main mark nav small span time u video wbr data tfoot font big tt strike
    `),
  ],
};

const allowed = new Set(schema.tagNames);
const stripped = new Set(schema.strip);

// All other HTML elements. Only their content is shown.
const others = new Set(
  words(`
    acronym area base basefont bgsound blink body command content dialog dir element fieldset form frame head hgroup
    html image isindex keygen label layer legend link listing map marquee menu menuitem meta meter multicol nextid nobr
    optgroup option output param progress rb rbc rp rt rtc search shadow slot spacer track fencedframe selectedcontent
  `),
);

/** How an element from an author is treated. */
export function statusOf(name: string): 'allowed' | 'unsafe' | 'other' | 'unknown' {
  if (allowed.has(name)) return 'allowed';
  if (stripped.has(name)) return 'unsafe';
  return others.has(name) ? 'other' : 'unknown';
}

const unsafeElements = new Set(
  words(`
    script style iframe object embed link meta base form frame frameset template noscript audio video source track
    portal
  `),
);
const addresses = new Set(
  words(`
    href src action formAction xLinkHref poster data srcSet cite longDesc background ping manifest imageSrcSet
  `),
);

/**
 * Removes, in place, everything that could run code or load something. The tree was sanitized before. This is a final
 * check that includes what sources returned (icons, operations) and what the renderer itself created.
 */
export function guard(node: Nodes): void {
  if (!('children' in node)) return;
  if (!node.children.every(isHarmless)) node.children = node.children.filter(isHarmless) as typeof node.children;
  for (const child of node.children) {
    if (child.type !== 'element') continue;
    guardAttributes(child);
    guard(child);
  }
}

const isHarmless = (node: Nodes): boolean =>
  node.type === 'text' || (node.type === 'element' && !unsafeElements.has(node.tagName));

function guardAttributes({ properties, tagName }: Element): void {
  for (const [name, value] of Object.entries(properties)) {
    if (name === 'className') continue;
    const isAddress = addresses.has(name);
    const isUnsafe =
      /^on/i.test(name) ||
      name === 'style' ||
      name === 'srcDoc' ||
      (isAddress && ((name !== 'href' && name !== 'src') || !isSafeAddress(String(value), tagName === 'img')));
    if (isUnsafe) Reflect.deleteProperty(properties, name);
  }
}
