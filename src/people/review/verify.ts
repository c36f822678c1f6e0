import { readEvidence } from './evidence.ts';
import { evidenceFile, readDecisions, readReview } from './files.ts';

export interface Verification {
  entries: number;
  /** The hash of the last entry: with it, a shortened file is recognized. */
  head: string;
  /** What was altered. */
  findings: string[];
  /** What is not wrong, but should be known. */
  notes: string[];
}

/** Checks the chain of the evidence, and that the files still contain what it says. @throws EngineError for no review */
export function verifyReview(folder: string, head?: string): Verification {
  const { review, hash } = readReview(folder);
  const file = evidenceFile(folder);
  const { entries, broken, isTorn } = readEvidence(file);
  const findings: string[] = [];
  const notes: string[] = [];
  if (broken) findings.push(`${file}:${broken.line}: ${broken.reason}`);
  const [first] = entries;
  if (!broken && first?.type !== 'created') findings.push(`${file} does not begin with the creation of the review`);
  if (first?.type === 'created' && first.review !== hash) findings.push('review.json was changed after its creation');
  if (head !== undefined && !entries.some((entry) => entry.hash === head))
    findings.push(`${file} does not contain the entry ${head}: entries at its end are missing`);
  if (isTorn) notes.push('The last line of the evidence is incomplete, because a run was killed; "apply" removes it.');

  const recorded = new Map<string, string>();
  for (const entry of entries)
    if (entry.type === 'decided') recorded.set(`${entry.row} ${entry.owner}`, `${entry.decision} ${entry.comment}`);
  const { decided, rejected } = readDecisions(folder, review);
  const now = new Map(
    decided.map(({ row, owner, decision, comment }) => [`${row.key} ${owner}`, `${decision} ${comment}`]),
  );
  const isChanged = ([key, text]: [string, string]) => now.get(key) !== text;
  for (const [key] of [...recorded].filter(isChanged)) {
    const row = review.rows.find((each) => key.startsWith(`${each.key} `));
    const owner = key.slice(key.indexOf(' ') + 1);
    findings.push(`the decision of ${owner} about ${row?.member} in ${row?.team} was changed after it was recorded`);
  }
  const fresh = [...now.keys()].filter((key) => !recorded.has(key)).length;
  if (fresh > 0) notes.push(`${fresh} decisions are not recorded yet: "docsctl access review apply" records them.`);
  notes.push(...rejected.map((text) => `${text}.`));
  return { entries: entries.length, head: entries.at(-1)?.hash ?? '', findings, notes };
}
