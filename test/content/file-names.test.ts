import { describe, expect, test } from 'vitest';
import { isDocsFile, isHidden, isProgramFile, pathProblem } from '../../src/content/folder/file-names.ts';

describe('the path of a file inside a folder', () => {
  test.each([
    '',
    '/etc/passwd',
    '../a.md',
    'a/../../b.md',
    'a//b.md',
    'a/./b.md',
    'a\\..\\b.md',
    'C:/a.md',
    'a.md:stream',
    'a\0.md',
    'a\n.md',
    'a\u0085.md',
    'a\u009b31m.md',
    'a\u2028.md',
    'gpj.\u202ea.md',
    'a\u200fb.md',
    'a\u061cb.md',
    '.git/config',
    'a/.GIT/config',
    '.g\u200Cit/config',
    '\uFEFF.git/config',
    '.git./config',
    '.git /config',
    'GIT~1/config',
    'a/node_modules/b/index.js',
    'PACKAG~1.JSO',
    `${'a'.repeat(256)}.md`,
    'a/'.repeat(600),
  ])('is not %j', (path) => {
    expect(pathProblem(path, 'linux')).toEqual(expect.any(String));
  });

  test.each(['con.md', 'a/NUL', 'aux.tar.gz', 'com1', 'lpt¹.md', 'a.md.', 'a /b.md', 'a?.md', 'a|b.md'])(
    'is %j, but not on Windows',
    (path) => {
      expect(pathProblem(path, 'win32')).toEqual(expect.any(String));
      expect(pathProblem(path, 'linux')).toBeUndefined();
    },
  );

  test.each([
    'a.md',
    'ü/ñ (1).md',
    '.gitbook/assets/x.png',
    'a..b/c.md',
    'git/x.md',
    'backup~.md',
    '👩‍💻.md',
    'نامه\u200cها.md',
    'console.md',
  ])('is %j', (path) => {
    expect(pathProblem(path, 'win32')).toBeUndefined();
  });
});

test.each(['.env', 'a/.env', '.aws/credentials', '.github/x.yml', '.gitbook/.env', 'a/.git/logo.png', '\u200B.env'])(
  '%j is hidden',
  (path) => {
    expect(isHidden(path)).toBe(true);
    expect(isProgramFile(path)).toBe(true);
  },
);

test.each(['.gitbook/assets/a.bin', 'docs/.gitbook/assets/a.bin', '.github/logo.png', 'a.b/c.d'])(
  '%j is not hidden',
  (path) => {
    expect(isHidden(path)).toBe(false);
  },
);

test.each([
  'Makefile',
  'a/makefile',
  'MAKEFILE.',
  'Ma\u212Aefile',
  'package.json',
  'conf.py',
  'sub/Setup.py',
  'Dockerfile',
  'Dockerfile.prod',
  'docker-compose.override.yml',
  'vite.config.ts',
  'tsconfig.build.json',
  'requirements-dev.txt',
  'action.yml',
  'CODEOWNERS',
  'AGENTS.md',
  'claude.md',
  'git.exe',
  'x.bat',
  'main.tf',
  '_plugins/a.txt',
  'assets/test_a.py',
  'run.sh',
  'a.test.TS',
])('programs look for %j', (path) => {
  expect(isProgramFile(path)).toBe(true);
  expect(isDocsFile(path)).toBe(false);
});

test.each(['a.md', 'build/index.md', 'assets/p.png', '.gitbook/assets/package.json', 'guide.PDF'])(
  '%j can only be part of the docs',
  (path) => {
    expect(isDocsFile(path)).toBe(true);
  },
);

test.each(['run', 'data/values.yaml', 'theme.css'])('%j may not belong to the docs', (path) => {
  expect(isProgramFile(path)).toBe(false);
  expect(isDocsFile(path)).toBe(false);
});
