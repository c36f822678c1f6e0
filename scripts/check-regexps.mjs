/**
 * Reports regular expressions in src and bin that take exponential or polynomial time on some text; part of
 * `npm run lint`. recheck checks each expression and shows such a text. The rules of eslint-plugin-regexp, which oxlint
 * could run, miss the exponential expressions that this project has had.
 *
 * To solve a finding, write the expression differently, most often as a scan. Where the text never comes from a user or a
 * service, say so in a comment on the line of the expression or above it: `// slow-regexp: matches the help only`.
 */
import { once } from 'node:events';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { parseAst } from 'rolldown/parseAst';

const require = createRequire(import.meta.url);
// Checking takes 20 seconds, so an expression that was linear once is not checked again.
const cacheFolder = 'node_modules/.cache';
const cacheFile = `${cacheFolder}/linear-regexps-${require('recheck/package.json').version}.json`;
// The result must not depend on the load of the machine: the only time limit is against a check that never ends.
const limits = { timeout: 900_000, seedingTimeout: null, incubationTimeout: null, attackTimeout: null };

if (isMainThread) await main(process.argv.slice(2));
else startWorker();

/** @param {string[]} files those of the project when none are given */
async function main(files) {
  const paths = files.length > 0 ? files : globSync(['src/**/*.ts', 'bin/*.js']);
  const expressions = paths.toSorted().flatMap(expressionsIn);
  const problems = await checkAll(expressions.filter(({ pattern }) => pattern !== undefined && repeats(pattern)));
  const findings = expressions.flatMap((expression) => findingOf(expression, problems.get(expression.literal)) ?? []);
  for (const finding of findings) console.error(finding);
  console.log(`Found ${findings.length} problems in ${expressions.length} regular expressions.`);
  process.exitCode = findings.length > 0 ? 1 : 0;
}

/** The literals of a file, and each `new RegExp`. */
function expressionsIn(file) {
  const text = readFileSync(file, 'utf8');
  const lines = text.split('\n');
  const expressions = [];
  const add = (node, expression) => {
    const line = text.slice(0, node.start).split('\n').length;
    const reason = [line, line - 1]
      .map((number) => /\/\/ slow-regexp: (.+)/.exec(lines[number - 1] ?? '')?.[1])
      .find(Boolean);
    expressions.push({ place: `${file}:${line}`, reason, ...expression });
  };
  const walk = (node) => {
    if (typeof node !== 'object' || node === null) return;
    if (node.type === 'Literal' && node.regex) add(node, { ...node.regex, literal: node.raw });
    else if (node.type === 'NewExpression' && node.callee.name === 'RegExp') add(node, {});
    else for (const child of Object.values(node)) walk(child);
  };
  walk(parseAst(text, { lang: file.endsWith('.ts') ? 'ts' : 'js' }));
  return expressions;
}

/** Whether anything may repeat more than a hundred times; otherwise the time is linear. */
function repeats(pattern) {
  const bare = pattern.replaceAll(/\\.|\[(?:\\.|[^\]\\])*\]/gs, 'x');
  return /[*+]|\{\d+,\}|\{(?:\d+,)?\d{3,}\}/.test(bare);
}

/** The problems of expressions by their literals; none for those whose time is linear. */
async function checkAll(expressions) {
  const linear = new Set(readCache());
  const waiting = [...new Map(expressions.map((each) => [each.literal, each])).values()].filter(
    ({ literal }) => !linear.has(literal),
  );
  const problems = new Map();
  const work = async () => {
    const worker = new Worker(new URL(import.meta.url));
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { literal, pattern, flags } = next;
      worker.postMessage({ pattern, flags });
      const [problem] = await once(worker, 'message');
      if (problem === undefined) linear.add(literal);
      else problems.set(literal, problem);
    }
    await worker.terminate();
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), waiting.length) }, work));
  mkdirSync(cacheFolder, { recursive: true });
  writeFileSync(cacheFile, JSON.stringify([...linear]));
  return problems;
}

function readCache() {
  try {
    return JSON.parse(readFileSync(cacheFile, 'utf8'));
  } catch {
    return [];
  }
}

function startWorker() {
  // This build of recheck starts no other program, so its results are the same on every machine.
  const { checkSync } = require('recheck/lib/browser.js');
  parentPort.on('message', ({ pattern, flags }) => parentPort.postMessage(problemOf(pattern, flags, checkSync)));
}

function problemOf(pattern, flags, check) {
  // recheck does not know `d`, which changes nothing about the time.
  const { status, complexity, attack, error } = check(pattern, flags.replace('d', ''), limits);
  if (status === 'safe') return undefined;
  if (status === 'unknown') return `cannot be checked: ${error.message ?? error.kind}`;
  const time = complexity.type === 'exponential' ? 'exponential' : `polynomial (degree ${complexity.degree})`;
  return `takes ${time} time with ${attack.pattern.slice(0, 200)}`;
}

function findingOf({ place, literal, reason }, problem) {
  if (literal === undefined) {
    return reason ? undefined : `${place}: made at run time, so its time cannot be checked`;
  }
  if (problem === undefined) return reason ? `${place}: slow-regexp is not needed, ${literal} is linear` : undefined;
  return reason ? undefined : `${place}: ${literal} ${problem}`;
}
