import { type Description, readDescription } from '../../src/openapi/index.ts';

/** Reads a description as ever, and leaves out what is only recommended: small examples lack licenses, servers, ids. */
export async function readErrors(...input: Parameters<typeof readDescription>): Promise<Description> {
  const description = await readDescription(...input);
  const isKept = ({ level, rule }: Description['findings'][number]) =>
    level === 'error' || rule === 'no-unresolved-refs';
  return { ...description, findings: description.findings.filter(isKept) };
}
