import { contrast, formatColor, mix, parseColor, readable, type Rgb, textOn, white } from './colors.ts';
import { withoutUndefined } from '../shared/without-undefined.ts';
import type { Customization, LightDark, Look, Site } from './model.ts';

/** The look of new sites, and of previews of folders. */
export const standardLook: Customization['styling'] = {
  theme: 'clean',
  primaryColor: { light: '#346DDB', dark: '#7BA3F0' },
  infoColor: { light: '#2F6FEB', dark: '#6EA0FF' },
  successColor: { light: '#1F883D', dark: '#4AC26B' },
  warningColor: { light: '#B26A00', dark: '#E3A33B' },
  dangerColor: { light: '#CF222E', dark: '#FF7B72' },
  corners: 'rounded',
  links: 'default',
  font: 'Inter',
  icons: 'regular',
  sidebar: { background: 'default', list: 'default' },
  search: 'prominent',
};

/** The look in the customization of a site. */
export const lookOf = ({ styling, header }: Pick<Customization, 'styling' | 'header'>): Look => ({
  ...styling,
  ...withoutUndefined({ backgroundColor: header.backgroundColor, linkColor: header.linkColor }),
});

/** If readers can choose the theme, a light site follows their system by default. */
export const themesOf = ({ default: first, toggeable }: Customization['themes']): Site['themes'] => ({
  default: first === 'light' && toggeable ? 'system' : first,
  isToggleable: toggeable,
});

/** Neutral colors without a tint. The text colors have a contrast of 7 and 4.6 on all backgrounds. */
const neutral = {
  light: {
    page: '#ffffff',
    soft: '#f6f7f9',
    strong: '#eceef2',
    line: '#dfe3e8',
    edge: '#858c98',
    text: '#1c2128',
    quiet: '#596170',
  },
  dark: {
    page: '#0f1216',
    soft: '#171b21',
    strong: '#222831',
    line: '#2a313b',
    edge: '#6b7583',
    text: '#e7eaef',
    quiet: '#a1aab7',
  },
};

const tintShare = { page: 0.02, soft: 0.05, strong: 0.09, line: 0.14, edge: 0.2, text: 0.1, quiet: 0.2 };

type Mode = 'light' | 'dark';
type Tone = keyof typeof tintShare;

const tones: Tone[] = ['page', 'soft', 'strong', 'line', 'edge', 'text', 'quiet'];

function neutralsOf({ tint, theme }: Look, mode: Mode): Record<Tone, Rgb> {
  const tinted = (tone: Tone): Rgb => {
    const plain = parseColor(neutral[mode][tone]);
    return tint ? mix(parseColor(tint.color[mode]), plain, tintShare[tone]) : plain;
  };
  const page = theme === 'muted' ? tinted('soft') : tinted('page');
  const soft = theme === 'muted' ? tinted('strong') : tinted('soft');
  const strong = theme === 'muted' ? tinted('line') : tinted('strong');
  const line = theme === 'muted' ? mix(tinted('line'), tinted('edge'), 0.75) : tinted('line');
  const backgrounds = [page, soft, strong];
  return {
    page,
    soft,
    strong,
    line,
    edge: readable(tinted('edge'), [page, soft], 3.05),
    text: readable(tinted('text'), backgrounds, 7),
    quiet: readable(tinted('quiet'), backgrounds),
  };
}

/** Custom properties of one mode, by name. */
function colorsOf(look: Look, mode: Mode): Record<string, Rgb> {
  const neutrals = neutralsOf(look, mode);
  const { page, soft, strong } = neutrals;
  const primary = parseColor(look.primaryColor[mode]);
  const share = mode === 'light' ? 0.08 : 0.14;
  const colors: Record<string, Rgb> = {};
  for (const tone of tones) colors[tone] = neutrals[tone];
  const status = {
    primary,
    info: pick(look.infoColor, mode),
    success: pick(look.successColor, mode),
    warning: pick(look.warningColor, mode),
    danger: pick(look.dangerColor, mode),
  };
  for (const [name, color] of Object.entries(status)) {
    const tinted = mix(color, page, share);
    colors[name] = readable(color, [page, soft, strong, tinted]);
    colors[`${name}-soft`] = tinted;
    colors[`${name}-line`] = mix(color, page, mode === 'light' ? 0.3 : 0.36);
  }
  // A fill must be visible on the page, and its text readable.
  colors.fill = contrast(primary, page) < 1.4 ? readable(primary, [page], 1.4) : primary;
  colors['on-fill'] = textOn(colors.fill);
  const header = headerOf(look, mode, neutrals);
  return { ...colors, ...header };
}

const pick = (pair: LightDark, mode: Mode) => parseColor(pair[mode]);

function headerOf(look: Look, mode: Mode, { page, text, quiet, line, soft }: Record<Tone, Rgb>): Record<string, Rgb> {
  const custom = look.backgroundColor ?? (look.theme === 'bold' ? look.primaryColor : undefined);
  const link = look.linkColor && pick(look.linkColor, mode);
  if (!custom) {
    return {
      header: page,
      'header-text': text,
      'header-quiet': link ? readable(link, [page]) : quiet,
      'header-line': line,
      'header-field': soft,
      'header-field-text': quiet,
    };
  }
  const header = pick(custom, mode);
  const onHeader = readable(textOn(header), [header]);
  const field = mix(onHeader, header, 0.1);
  return {
    header,
    'header-text': onHeader,
    'header-quiet': readable(link ?? mix(onHeader, header, 0.86), [header]),
    'header-line': mix(onHeader, header, 0.16),
    'header-field': field,
    'header-field-text': contrast(onHeader, field) < 4.6 ? readable(onHeader, [field]) : onHeader,
  };
}

const radii = {
  straight: { small: '0', medium: '0', large: '0', pill: '0' },
  rounded: { small: '5px', medium: '8px', large: '12px', pill: '8px' },
  circular: { small: '8px', medium: '14px', large: '20px', pill: '999px' },
};

const sans =
  'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Noto Color Emoji"';
const serif =
  'ui-serif, Georgia, Cambria, "Noto Serif", "Times New Roman", serif, "Apple Color Emoji", "Segoe UI Emoji", "Noto Color Emoji"';

/** Sites only serve Inter (fonts.css). Other fonts are used if the reader has them, or else a system font of the same kind. */
const families: Record<string, string> = {
  ABCFavorit: `"ABC Favorit", ${sans}`,
  Inter: `var(--inter), ${sans}`,
  Roboto: `Roboto, ${sans}`,
  RobotoSlab: `"Roboto Slab", Rockwell, ${serif}`,
  OpenSans: `"Open Sans", ${sans}`,
  SourceSansPro: `"Source Sans 3", "Source Sans Pro", ${sans}`,
  Lato: `Lato, Carlito, ${sans}`,
  Ubuntu: `Ubuntu, ${sans}`,
  Raleway: `Raleway, ${sans}`,
  Merriweather: `Merriweather, ${serif}`,
  Overpass: `Overpass, ${sans}`,
  NotoSans: `"Noto Sans", ${sans}`,
  IBMPlexSerif: `"IBM Plex Serif", ${serif}`,
  Poppins: `Poppins, ${sans}`,
  FiraSans: `"Fira Sans", ${sans}`,
};

const gradient = ([r, g, b]: Rgb, share: number) =>
  `rgb(${[r, g, b].map((part) => Math.round(part * 255)).join(' ')} / ${Math.round(share * 100)}%)`;

/** The custom properties of a look, as the text of a style sheet. */
export function lookStyle(look: Look): string {
  const [light, dark] = [colorsOf(look, 'light'), colorsOf(look, 'dark')];
  const colors = Object.entries(light).map(
    ([name, color]) => `--${name}: light-dark(${formatColor(color)}, ${formatColor(dark[name] ?? white)})`,
  );
  const radius = Object.entries(radii[look.corners]).map(([name, size]) => `--radius-${name}: ${size}`);
  const declarations = [...colors, ...radius, `--font: ${families[look.font] ?? sans}`];
  const extra = look.theme === 'gradient' ? gradientRule(look) : '';
  return `:root { ${declarations.join('; ')} }\n${extra}`;
}

function gradientRule({ primaryColor }: Look): string {
  const [light, dark] = [gradient(parseColor(primaryColor.light), 0.14), gradient(parseColor(primaryColor.dark), 0.16)];
  return `body { background-image: linear-gradient(light-dark(${light}, ${dark}), transparent 32rem); background-repeat: no-repeat }
.header { background: color-mix(in srgb, var(--page) 84%, transparent) }
`;
}

/** The classes of the root element. */
export const lookClasses = ({ theme, links, sidebar, search, backgroundColor }: Look): string =>
  [
    `theme-${theme}`,
    `links-${links}`,
    `sidebar-${sidebar.background}`,
    `list-${sidebar.list}`,
    `search-${search}`,
    ...(backgroundColor || theme === 'bold' ? ['header-filled'] : []),
  ].join(' ');
