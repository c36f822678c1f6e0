import { execFileSync } from 'node:child_process';
import { expect } from 'vitest';
import { test } from '../../support/in-process.ts';
import { type Defect, writeCorpus } from '../../support/link-corpus.ts';
import { isLong } from '../../support/long-form.ts';

interface Finding extends Defect {
  target?: string;
  certain?: boolean;
}

const keyOf = ({ file, rule, url }: Defect) => `${file} ${rule} ${url ?? ''}`;
const sizes = { spaces: 6, pages: isLong ? 900 : 60 };

test('every known defect of a corpus is found, none is invented, and a second run after --fix finds no fixed one', async ({
  docsctl,
  home,
}) => {
  const { defects } = writeCorpus(home.dir, sizes);
  const check = async (...flags: string[]): Promise<Finding[]> =>
    (await docsctl('links', 'check', '--format', 'json', ...flags)).json;

  const found = await check();
  const left = await check('--fix');
  const changed = execFileSync('git', ['diff', '--name-only'], { cwd: home.dir, encoding: 'utf8' });

  expect(found.map(keyOf).toSorted()).toEqual(defects.map(keyOf).toSorted());
  const fixes = defects.filter(({ fix }) => fix !== undefined);
  expect(found.filter(({ certain }) => certain).map(({ target }) => target)).toHaveLength(fixes.length);
  for (const { file, url, fix } of fixes) {
    expect(found).toContainEqual(expect.objectContaining({ file, url, target: fix, certain: true }));
  }
  expect(left.map(keyOf).toSorted()).toEqual(
    defects
      .filter(({ fix }) => fix === undefined)
      .map(keyOf)
      .toSorted(),
  );
  expect(changed.trim().split('\n')).toEqual([...new Set(fixes.map(({ file }) => file))].toSorted());
});
