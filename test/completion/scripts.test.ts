import { describe, expect, test } from 'vitest';
import { completionScripts } from '../../src/describe/completions.ts';

/** The code of a script, without what is said about it. */
const codeOf = (script: string) =>
  script
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .join('\n');

describe.each(Object.entries(completionScripts))('the script for %s', (_, script) => {
  test('evaluates nothing, and gives no word list to the shell to expand', () => {
    expect(codeOf(script)).not.toMatch(/\beval\b|compgen -W|Invoke-Expression|\biex\b|\bsource\b|ExpandString/i);
  });

  test('asks quietly, never a question, and does not wait long', () => {
    const asked = codeOf(script).match(/docsctl .*__complete/g);
    expect(asked).toEqual(['docsctl --no-input --timeout 1 --retries 0 __complete']);
  });
});

// There is no PowerShell to run it in everywhere: what can be seen in its text is checked.
describe('the script for powershell', () => {
  const code = codeOf(completionScripts.powershell);
  const strings = code.match(/'(?:[^']|'')*'|"(?:[^"`]|`.|"")*"/g) ?? [];

  test('expands nothing but what the user has typed', () => {
    const expanded = strings.filter((text) => text.startsWith('"') && text.includes('$'));
    expect(expanded).toEqual(['"--begun=$begun"']);
  });

  test('puts what is not plain into quotes that PowerShell itself has made safe', () => {
    expect(code).toContain(`-match '[^A-Za-z0-9_./:=+-]'`);
    expect(code).toMatch(/"'" \+ \[[\w.]+CodeGeneration\]::EscapeSingleQuotedStringContent\(\$value\) \+ "'"/);
    expect(code.match(/CompletionResult\]::new\((.*)\)/)![1]).toBe(`$inserted, $value, 'ParameterValue', $title`);
  });

  test('opens and closes what belongs together', () => {
    const bare = code.replaceAll(/'(?:[^']|'')*'|"(?:[^"`]|`.|"")*"/g, '');
    const open: string[] = [];
    for (const sign of bare.replaceAll(/[^(){}[\]]/g, '')) {
      if ('([{'.includes(sign)) open.push(sign);
      else expect(open.pop()! + sign).toMatch(/^(\(\)|\[\]|\{\})$/);
    }
    expect(open).toEqual([]);
  });
});
