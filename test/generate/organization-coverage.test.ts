import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { coveredObjects, rowsOf } from '../../scripts/generate/organization-coverage.ts';
import { fileParts, files } from '../../src/organization/parts.ts';
import { notExported, notExportedNote } from '../../src/organization/not-exported.ts';
import { root } from '../support/cli.ts';

const team = coveredObjects.find(({ name }) => name === 'team');
const extended = (shape: Record<string, z.ZodMiniType>) => () => z.object({ title: z.string(), ...shape });

test('a new attribute or key of a request needs a place in the files, or a reason', () => {
  const answer = { ...team!, requests: [], as: {}, leftOut: {}, answer: extended({ color: z.string() }) };
  const request = { ...answer, answer: extended({}), requests: [extended({ color: z.string() })] };

  expect(() => rowsOf(answer)).toThrow('"color" of team is nowhere in the files.');
  expect(() => rowsOf(request)).toThrow('"color" of team is nowhere in the files.');
  expect(() => rowsOf({ ...answer, leftOut: { color: 'a', size: 'b' } })).toThrow('team has no attribute "size".');
  expect(() => rowsOf({ ...answer, leftOut: { color: 'a', title: 'b' } })).toThrow('"title" of team is in the files.');
});

test('every file of an organization is in the table', () => {
  const covered = coveredObjects.map(({ file }) => file.replace('NAME', '*'));
  // The page names levels.csv: no request changes levels.
  for (const part of fileParts.filter((each) => each !== 'levels')) expect(covered).toContain(files[part].file);
});

test('the note of an export names what the table leaves out, and the page exists', async () => {
  for (const [object, attributes] of Object.entries(notExported)) {
    expect(coveredObjects.map(({ name }) => name)).toContain(object);
    for (const attribute of Object.keys(attributes))
      expect(notExportedNote).toContain(attribute.match(/^(?:urls|id)$/) ? `${object}s` : attribute);
  }
  expect(await readFile(join(root, 'docs', 'organization-coverage.md'), 'utf8')).toContain('| `disabled` | no | no |');
});
