import { valueAt } from '../../shared/value-at.ts';

type Variables = Record<string, string | undefined>;

/**
 * Whether a terminal shows OSC 8 links. Others ignore them or print them as text, so only known ones get them.
 * FORCE_HYPERLINK decides otherwise, as for other programs.
 */
export function showsLinks(env: Variables): boolean {
  const { FORCE_HYPERLINK: forced, TERM: term = '', TERM_PROGRAM: program = '' } = env;
  if (forced) return forced !== '0';
  // A multiplexer passes them on only if it is new enough.
  if (env.CI || env.TMUX || /^(?:screen|tmux|dumb)/.test(term)) return false;
  return (
    /^(?:iTerm\.app|WezTerm|vscode|ghostty|Hyper)$/.test(program) ||
    /^(?:xterm-kitty|xterm-ghostty|foot|alacritty)/.test(term) ||
    Number(env.VTE_VERSION) >= 5000 ||
    Boolean(env.WT_SESSION ?? env.KONSOLE_VERSION)
  );
}

const maxLength = 2_000;
/** Nothing in it can end the sequence or start another one. */
const safeAddress = /^https?:\/\/[\x21-\x7e]+$/;

const isSafe = (address: unknown): address is string =>
  typeof address === 'string' && address.length <= maxLength && safeAddress.test(address);

/** The address that a cell leads to: the one it shows, or in the first column that of its item in the app. */
export function addressOfCell(value: unknown, item: unknown, isFirst: boolean): string | undefined {
  if (isSafe(value)) return value;
  const address = isFirst ? valueAt(item, 'urls.app') : undefined;
  return isSafe(address) ? address : undefined;
}

/** A text that leads to an address. */
export const linked = (text: string, address: string): string =>
  `\u001b]8;;${address}\u001b\\${text}\u001b]8;;\u001b\\`;

const sequence = /\u001b\]8;;[\x21-\x7e]*\u001b\\/g;

/** Without links: pagers may show them as text. */
export const withoutLinks = (bytes: Uint8Array): Uint8Array =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('\u001b]8;')
    ? Buffer.from(Buffer.from(bytes).toString('latin1').replace(sequence, ''), 'latin1')
    : bytes;
