import { decodeAddress } from '../../shared/decode.ts';
import { isObject } from '../../shared/is-object.ts';
import type { PdfFinding } from './findings.ts';

/** A response header with the findings of a PDF. */
export const findingsHeader = 'docsctl-pdf-findings';

/** A request header with font files, which is only used within the same process. */
export const fontsHeader = 'docsctl-pdf-fonts';

/** Clients accept 16 KB of headers in total. */
const maxLength = 8_000;

/** Encodes findings for a header, with fewer page titles if they would not fit. */
export function writeFindings(findings: readonly PdfFinding[]): string {
  for (const titles of [20, 5, 1, 0]) {
    const text = encodeURIComponent(
      JSON.stringify(findings.map((finding) => ({ ...finding, pages: finding.pages.slice(0, titles) }))),
    );
    if (text.length <= maxLength) return text;
  }
  return writeFindings(findings.slice(0, Math.floor(findings.length / 2)));
}

export function readFindings(text: string): PdfFinding[] {
  const findings: unknown = JSON.parse(decodeAddress(text));
  return Array.isArray(findings) ? findings.filter(isFinding) : [];
}

const isFinding = (value: unknown): value is PdfFinding =>
  isObject(value) && typeof value.what === 'string' && Array.isArray(value.pages) && typeof value.count === 'number';

export const writeFonts = (paths: readonly string[]): string => encodeURIComponent(JSON.stringify(paths));

export function readFonts(text: string): string[] {
  const paths: unknown = JSON.parse(decodeAddress(text));
  return Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [];
}
