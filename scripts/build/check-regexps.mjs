/**
 * Finds regular expressions of src and bin that some texts make take exponential or polynomial time; part of
 * `npm run lint`. recheck judges each and shows such a text. The rules of eslint-plugin-regexp, which oxlint could run,
 * overlook the exponential expressions that this project has had.
 *
 * What is found is written otherwise, most often as a scan. Where no text from outside is matched, a comment on the line
 * of the expression or above it says so: `// slow-regexp: the texts are those of the help`.
 */
import { once } from 'node:events';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { parseAst } from 'rolldown/parseAst';

const require = createRequire(import.meta.url);
// Judging takes some 20 seconds, so what was linear once is not judged again.
const cacheFolder = 'node_modules/.cache';
const cacheFile = `${cacheFolder}/linear-regexps-${require('recheck/package.json').version}.json`;
// A verdict must not depend on how busy the machine is: the only limit of time is against what goes on for ever.
const limits = { timeout: 120_000, seedingTimeout: null, incubationTimeout: null, attackTimeout: null };

if (isMainThread) await main(process.argv.slice(2));
else serve();

/** @param {string[]} files those of the project when none are given */
async function main(files) {
  const paths = files.length > 0 ? files : globSync(['src/**/*.ts', 'bin/*.js']);
  const expressions = paths.toSorted().flatMap(expressionsIn);
  const faults = await judgeAll(expressions.filter(({ pattern }) => pattern !== undefined && repeats(pattern)));
  const findings = expressions.flatMap((expression) => findingOf(expression, faults.get(expression.literal)) ?? []);
  for (const finding of findings) console.error(finding);
  console.log(`Found ${findings.length} problems in ${expressions.length} regular expressions.`);
  process.exitCode = findings.length > 0 ? 1 : 0;
}

/** The literals of a file, and what makes an expression while the program runs. */
function expressionsIn(file) {
  const text = readFileSync(file, 'utf8');
  const lines = text.split('\n');
  const found = [];
  const add = (node, expression) => {
    const line = text.slice(0, node.start).split('\n').length;
    const reason = [line, line - 1].map((at) => /\/\/ slow-regexp: (.+)/.exec(lines[at - 1] ?? '')?.[1]).find(Boolean);
    found.push({ place: `${file}:${line}`, reason, ...expression });
  };
  const walk = (node) => {
    if (typeof node !== 'object' || node === null) return;
    if (node.type === 'Literal' && node.regex) add(node, { ...node.regex, literal: node.raw });
    else if (node.type === 'NewExpression' && node.callee.name === 'RegExp') add(node, {});
    else for (const child of Object.values(node)) walk(child);
  };
  walk(parseAst(text, { lang: file.endsWith('.ts') ? 'ts' : 'js' }));
  return found;
}

/** Whether anything may repeat more than a hundred times: without that, the time is in proportion to the text. */
function repeats(pattern) {
  const bare = pattern.replaceAll(/\\.|\[(?:\\.|[^\]\\])*\]/gs, 'x');
  return /[*+]|\{\d+,\}|\{(?:\d+,)?\d{3,}\}/.test(bare);
}

/** What is wrong with expressions, by their literals; nothing for those whose time is in proportion to the text. */
async function judgeAll(expressions) {
  const linear = new Set(readCache());
  const waiting = [...new Map(expressions.map((each) => [each.literal, each])).values()].filter(
    ({ literal }) => !linear.has(literal),
  );
  const faults = new Map();
  const work = async () => {
    const worker = new Worker(new URL(import.meta.url));
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { literal, pattern, flags } = next;
      worker.postMessage({ pattern, flags });
      const [fault] = await once(worker, 'message');
      if (fault === undefined) linear.add(literal);
      else faults.set(literal, fault);
    }
    await worker.terminate();
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), waiting.length) }, work));
  mkdirSync(cacheFolder, { recursive: true });
  writeFileSync(cacheFile, JSON.stringify([...linear]));
  return faults;
}

function readCache() {
  try {
    return JSON.parse(readFileSync(cacheFile, 'utf8'));
  } catch {
    return [];
  }
}

function serve() {
  // This build of recheck starts no other program, so that the verdicts are the same on every machine.
  const { checkSync } = require('recheck/lib/browser.js');
  parentPort.on('message', ({ pattern, flags }) => parentPort.postMessage(faultOf(pattern, flags, checkSync)));
}

function faultOf(pattern, flags, check) {
  // `d` changes only what is told of a match, and recheck does not know it.
  const { status, complexity, attack, error } = check(pattern, flags.replace('d', ''), limits);
  if (status === 'safe') return undefined;
  if (status === 'unknown') return `cannot be judged: ${error.message ?? error.kind}`;
  const time = complexity.type === 'exponential' ? 'exponential' : `polynomial (degree ${complexity.degree})`;
  return `takes ${time} time with ${attack.pattern.slice(0, 200)}`;
}

function findingOf({ place, literal, reason }, fault) {
  if (literal === undefined) {
    return reason ? undefined : `${place}: made while the program runs, so its time cannot be judged`;
  }
  if (fault === undefined) return reason ? `${place}: slow-regexp is not needed, ${literal} is linear` : undefined;
  return reason ? undefined : `${place}: ${literal} ${fault}`;
}
