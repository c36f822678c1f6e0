import type { Command as Commander } from 'commander';
import { inflectionsOf } from '../../shared/search/inflections.ts';
import { nearest } from '../../shared/suggest.ts';
import { examplesOf } from '../command/command.ts';
import { commandOf, isHidden, load } from '../program/command-tree.ts';
import { commandSynonyms } from './synonyms.ts';
import { words } from '../../shared/words.ts';

export interface FoundCommand {
  command: string;
  summary: string;
}

interface Candidate extends FoundCommand {
  /** The words of each part, with what one of them is worth. */
  parts: { words: ReadonlySet<string>; worth: number }[];
}

const maxFound = 15;
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
/** Words of questions, which almost every description has. */
const common = new Set(words('a all an and by can do for from how i in into is it my of on or the to with'));

/**
 * The commands that some words are about, the best ones first. What people call it counts as much as its own name.
 *
 * @returns also the words that were searched for instead of misspelled ones
 */
export async function searchCommands(
  program: Commander,
  text: string,
): Promise<{ commands: FoundCommand[]; corrected: string | undefined }> {
  const candidates = await candidatesIn(program);
  const all = wordsOf(text);
  const words = all.some((word) => !common.has(word)) ? all.filter((word) => !common.has(word)) : all;
  const commands = ranked(candidates, words);
  if (commands.length > 0 || words.length === 0) return { commands, corrected: undefined };
  const vocabulary = [...new Set(candidates.flatMap(({ parts }) => parts.flatMap(({ words: some }) => [...some])))];
  const corrected = words.map((word) => (vocabulary.includes(word) ? word : (nearest(word, vocabulary) ?? word)));
  return { commands: ranked(candidates, corrected), corrected: corrected.join(' ') };
}

function ranked(candidates: readonly Candidate[], words: readonly string[]): FoundCommand[] {
  return candidates
    .map((candidate) => ({ candidate, scores: words.map((word) => scoreOf(candidate, word)) }))
    .filter(({ scores }) => scores.length > 0 && scores.every((score) => score > 0))
    .map(({ candidate, scores }) => ({ candidate, score: scores.reduce((sum, score) => sum + score, 0) }))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, maxFound)
    .map(({ candidate: { command, summary } }) => ({ command, summary }));
}

function scoreOf({ parts }: Candidate, word: string): number {
  const forms = inflectionsOf(word);
  const score = (some: ReadonlySet<string>) => (some.has(word) ? 1 : forms.some((form) => some.has(form)) ? 0.9 : 0);
  return Math.max(...parts.map(({ words, worth }) => worth * score(words)));
}

async function candidatesIn(target: Commander, path: readonly string[] = []): Promise<Candidate[]> {
  const candidates: Candidate[] = [];
  for (const child of target.commands) {
    if (isHidden(child)) continue;
    await load(child);
    const childPath = [...path, child.name()];
    candidates.push(candidateOf(child, childPath), ...(await candidatesIn(child, childPath)));
  }
  return candidates;
}

function candidateOf(target: Commander, path: readonly string[]): Candidate {
  const command = commandOf(target);
  const own = path.join(' ');
  const meanings = Object.entries(commandSynonyms).filter(([, paths]) => paths.includes(own));
  const part = (texts: readonly string[], worth: number) => ({ words: new Set(texts.flatMap(wordsOf)), worth });
  const flags = target.options.filter(({ hidden }) => !hidden);
  return {
    command: `docsctl ${own}`,
    summary: target.summary(),
    parts: [
      // The first synonym of a word is its most likely meaning.
      ...meanings.map(([word, paths]) => part([word.split(' ').at(-1) ?? ''], 12 - 3 * paths.indexOf(own))),
      part([path.at(-1) ?? '', ...target.aliases()], 10 - path.length),
      part(path.slice(0, -1), 5),
      part([target.summary()], 4),
      part(command ? examplesOf(command).map(({ does }) => does) : [], 3),
      part(
        flags.map(({ long = '', description }) => `${long} ${description}`),
        2,
      ),
      part([target.description()], 1),
    ],
  };
}
