import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../support/cli.ts';

const folder = join(root, 'completions');
const scripts = readdirSync(folder).map((name) => ({ name, script: readFileSync(join(folder, name), 'utf8') }));

/** The code of a script, without its comments. */
const codeOf = (script: string) =>
  script
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .join('\n');

describe.each(scripts)('$name', ({ script }) => {
  test('evaluates nothing, and gives no word list to the shell to expand', () => {
    expect(codeOf(script)).not.toMatch(/\beval\b|compgen -W|Invoke-Expression|\biex\b|\bsource\b|ExpandString/i);
  });

  test('calls docsctl without questions, with a short timeout and no retries', () => {
    const asked = codeOf(script).match(/docsctl .*__complete/g);
    expect(asked).toEqual(['docsctl --no-input --timeout 1 --retries 0 __complete']);
  });
});

// PowerShell is not installed everywhere, so these tests look at the text of the script.
describe('the script for powershell', () => {
  const code = codeOf(readFileSync(join(folder, 'docsctl.ps1'), 'utf8'));
  const strings = code.match(/'(?:[^']|'')*'|"(?:[^"`]|`.|"")*"/g) ?? [];

  test('expands nothing but what the user has typed', () => {
    const expanded = strings.filter((text) => text.startsWith('"') && text.includes('$'));
    expect(expanded).toEqual(['"--begun=$begun"']);
  });

  test('quotes special characters with the function of PowerShell for it', () => {
    expect(code).toContain(`-match '[^A-Za-z0-9_./:=+-]'`);
    expect(code).toMatch(/"'" \+ \[[\w.]+CodeGeneration\]::EscapeSingleQuotedStringContent\(\$value\) \+ "'"/);
    expect(code.match(/CompletionResult\]::new\((.*)\)/)![1]).toBe(`$inserted, $value, 'ParameterValue', $title`);
  });

  test('has matching brackets', () => {
    const bare = code.replaceAll(/'(?:[^']|'')*'|"(?:[^"`]|`.|"")*"/g, '');
    const open: string[] = [];
    for (const sign of bare.replaceAll(/[^(){}[\]]/g, '')) {
      if ('([{'.includes(sign)) open.push(sign);
      else expect(open.pop()! + sign).toMatch(/^(\(\)|\[\]|\{\})$/);
    }
    expect(open).toEqual([]);
  });
});
