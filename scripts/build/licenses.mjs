import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const folderOf = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+(?=[\\/])/;
const licenseFile = /^(licen[cs]e|copying|mit-license)/i;

/** The licences of the packages that these modules belong to, each text once. @param {string[]} modules their files */
export async function licenses(modules) {
  const folders = new Set(modules.map((module) => folderOf.exec(module)?.[0]).filter(Boolean));
  const texts = new Map();
  for (const folder of [...folders].toSorted()) {
    const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    const file = (await readdir(folder)).find((entry) => licenseFile.test(entry));
    const lines = file ? (await readFile(join(folder, file), 'utf8')).split('\n').map((line) => line.trim()) : [];
    const holders = lines.filter((line) => /^copyright\b.*\d/i.test(line));
    // Titles and line breaks differ where the text is the same.
    const text = lines
      .filter((line) => !holders.includes(line) && !/^(the )?mit license/i.test(line) && !/^\(mit\)$/i.test(line))
      .join(' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
    const key = text === '' ? `Licence: ${license}` : text;
    texts.set(key, [...(texts.get(key) ?? []), [`${name} ${version}`, ...holders].join('\n  ')]);
  }
  const parts = [...texts].map(([text, packages]) => `${packages.join('\n')}\n\n${wrap(text)}\n`);
  return `docsctl contains these packages:\n\n${parts.join(`\n${'-'.repeat(100)}\n\n`)}`;
}

const wrap = (text) => text.replaceAll(/(.{1,100})(?: |$)/g, '$1\n').trimEnd();
