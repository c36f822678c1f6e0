import { readFileSync } from 'node:fs';
import { type HanRegion, ranked, regionOf } from '../../fonts/choose-font.ts';
import { type InstalledFont, installedFonts } from '../../fonts/installed.ts';
import { openFont } from '../../fonts/open-font.ts';
import { type FaceName, faceData } from '../../fonts/typefaces.ts';
import { Face } from './face.ts';
import type { Piece, Run } from './run.ts';

/** Fonts in addition to the built-in ones. */
export interface FontSources {
  /** Preferred over all others. */
  named?: readonly InstalledFont[];
  /** Called when the first character is missing. */
  installed?: () => InstalledFont[];
  /** Selects the form of Han characters, which differs between Chinese and Japanese. */
  language?: string;
}

/** Drawn for a character without a font. */
const missingSign = '\u25A1';

/** The fonts of a document. */
export class Fonts {
  readonly #document: PDFKit.PDFDocument;
  readonly #sources: FontSources;
  readonly #builtIn = new Map<FaceName, Face>();
  readonly #files = new Map<string, Buffer>();
  readonly #opened = new Map<InstalledFont, Face | undefined>();
  /** By style and character cluster. */
  readonly #choices = new Map<string, Face | undefined>();
  /** By style. */
  readonly #ranked = new Map<string, InstalledFont[]>();
  readonly #onMissing: (cluster: string) => void;
  #installed: InstalledFont[] | undefined;
  #region: HanRegion = 'SC';

  /** @param onMissing called for each character that is not in any font */
  constructor(document: PDFKit.PDFDocument, sources: FontSources, onMissing: (cluster: string) => void = () => {}) {
    this.#document = document;
    this.#sources = sources;
    this.#onMissing = onMissing;
  }

  /** Draws Han characters in the form of this text's language from now on. */
  adaptTo(text: string): void {
    this.#region = regionOf(text, this.#sources.language ?? '');
  }

  /** Divides a text where the font changes, and measures the pieces. */
  pieces(run: Run, size: number, level = 0): Piece[] {
    const pieces: Piece[] = [];
    let text = '';
    let face: Face | undefined;
    const flush = () => {
      if (face && text !== '') pieces.push(pieceOf(text, face, run, size, level));
      text = '';
    };
    const add = (addition: string, chosen: Face) => {
      if (chosen !== face) flush();
      face = chosen;
      text += addition;
    };
    if (isPlain(run.text)) add(run.text, this.#face(styleOf(run)));
    else for (const cluster of clustersOf(run.text)) this.#addCluster(cluster, run, add);
    flush();
    return pieces;
  }

  /** The name of the font that covers most of a text. */
  nameFor(run: Run): string {
    const lengths = new Map<Face, number>();
    for (const { face, text } of this.pieces(run, 1)) lengths.set(face, (lengths.get(face) ?? 0) + text.length);
    const [most] = [...lengths].toSorted(([, a], [, b]) => b - a);
    return (most?.[0] ?? this.#face(styleOf(run))).register();
  }

  #addCluster(cluster: string, run: Run, add: (text: string, face: Face) => void): void {
    const visible = [...cluster].filter((character) => !isIgnorable(character));
    if (visible.length === 0) return;
    const face = this.#choose(cluster, visible, run);
    if (face) {
      add(keptBy(face, cluster), face);
      return;
    }
    const [only, ...others] = visible;
    if (only !== undefined && others.length > 0) {
      for (const character of visible) this.#addCluster(character, run, add);
      return;
    }
    this.#onMissing(cluster);
    add(missingSign, this.#face('symbols'));
  }

  /** The first face with all characters. Faces with the style of the text come first. */
  #choose(cluster: string, visible: readonly string[], run: Run): Face | undefined {
    const style = styleOf(run);
    const key = `${style} ${this.#region} ${cluster}`;
    if (this.#choices.has(key)) return this.#choices.get(key);
    const codes = visible.map((character) => character.codePointAt(0) ?? 0);
    const covers = (face: Face) => codes.every((code) => face.has(code));
    const builtIn = (names: readonly FaceName[]) => names.map((name) => this.#face(name)).find(covers);
    const isPicture = isEmoji(cluster);
    const face =
      (isPicture ? this.#fallback(codes, run, cluster) : builtIn([style, 'regular'])) ??
      // Installed fonts have better letters, also in bold, but no better symbols.
      (/^\p{L}/u.test(cluster) ? this.#fallback(codes, run) : undefined) ??
      builtIn(['symbols', 'mono']) ??
      this.#fallback(codes, run);
    if (this.#choices.size > 50_000) this.#choices.clear();
    this.#choices.set(key, face);
    return face;
  }

  /** @param emoji a cluster that must be one image */
  #fallback(codes: readonly number[], run: Run, emoji?: string): Face | undefined {
    const isColoured = emoji !== undefined;
    const style = `${run.bold} ${run.code} ${isColoured} ${this.#region}`;
    let fonts = this.#ranked.get(style);
    if (!fonts) {
      this.#installed ??= (this.#sources.installed ?? installedFonts)();
      const { bold: isBold = false, code: isMonospaced = false } = run;
      const wish = { isBold, isMonospaced, isColoured, region: this.#region };
      fonts = [...ranked(this.#sources.named ?? [], wish), ...ranked(this.#installed, wish)];
      this.#ranked.set(style, fonts);
    }
    for (const font of fonts) {
      if (!isColoured && font.isColoured) continue;
      if (font.covers && !codes.every(font.covers)) continue;
      const face = this.#opened.has(font) ? this.#opened.get(font) : this.#open(font);
      if (face && codes.every((code) => face.has(code))) return face;
    }
    return undefined;
  }

  #face(name: FaceName): Face {
    const face = this.#builtIn.get(name) ?? new Face(this.#document, name, openFont(faceData(name)));
    this.#builtIn.set(name, face);
    return face;
  }

  /** The fonts of a collection share their file. */
  #read(path: string): Buffer {
    const bytes = this.#files.get(path) ?? readFileSync(path);
    this.#files.set(path, bytes);
    return bytes;
  }

  #open(font: InstalledFont): Face | undefined {
    let face: Face | undefined;
    try {
      const open = openFont(this.#read(font.path), font.face);
      face = new Face(this.#document, `installed ${this.#opened.size}`, open, this.#face('regular'));
    } catch {
      // Skip files that cannot be read or drawn.
    }
    this.#opened.set(font, face);
    return face;
  }
}

function styleOf({ code, bold, italic }: Run): FaceName {
  if (code) return 'mono';
  if (bold) return italic ? 'boldItalic' : 'bold';
  return italic ? 'italic' : 'regular';
}

export function pieceOf(text: string, face: Face, run: Run, size: number, level: number): Piece {
  const shaped = face.shape(text, level % 2 === 1);
  return { text, face, shaped, size, width: (shaped.width * size) / 1_000, run, level };
}

// All built-in fonts have these characters.
const isPlain = (text: string) => /^[\x20-\x7E]*$/.test(text);

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** What readers see as one character: a letter with its accents, a flag, a family emoji. */
function* clustersOf(text: string): Generator<string> {
  for (const { segment } of graphemes.segment(text)) yield segment.normalize('NFC');
}

/** Characters without a shape: controls, direction marks, joiners, variation selectors. */
const ignorable =
  /^[\p{Cc}\p{Cf}\p{Variation_Selector}\p{Default_Ignorable_Code_Point}\p{Cs}\p{Co}\p{Noncharacter_Code_Point}]$/u;
const isIgnorable = (character: string) => ignorable.test(character);

/** Removes joiners and selectors that the font does not use, because they would be drawn as boxes. */
function keptBy(face: Face, cluster: string): string {
  return [...cluster]
    .filter((character) => !isIgnorable(character) || (isJoiner(character) && face.has(character.codePointAt(0) ?? 0)))
    .join('');
}

const isJoiner = (character: string) => /^[\u200C\u200D\p{Variation_Selector}\u{E0020}-\u{E007F}]$/u.test(character);

const emoji =
  /^(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}.*[\uFE0F\u200D]|\p{Regional_Indicator}{2}|[#*\d]\uFE0F?\u20E3|\p{Extended_Pictographic}\p{Emoji_Modifier})/u;
const isEmoji = (cluster: string) => emoji.test(cluster) && !cluster.endsWith('\uFE0E');
