import { join, relative } from 'node:path';
import type { Port } from '../client/port.ts';
import type { Problem } from '../content/folder/folder.ts';
import { EngineError } from '../shared/engine-error.ts';
import type { Docs } from './local-folder.ts';

export interface PushWarning {
  /** Relative to the working directory. */
  file: string;
  line: number;
  level: 'warning';
  rule: 'content push';
  message: string;
}

/** Receives warnings: the terminal and a build server. */
export interface WarningSink {
  note: Port['note'];
  annotate(warnings: readonly PushWarning[]): Promise<void>;
}

/** Reports each part of a folder that a push skips or cannot parse once, and counts these reports. */
export class PushWarnings {
  count = 0;
  readonly #docs: Docs;
  readonly #root: string;
  readonly #sink: WarningSink;
  readonly #shown = new Set<string>();

  /** @param root the folder with the pages, relative to `docs` */
  constructor(docs: Docs, root: string, sink: WarningSink) {
    this.#docs = docs;
    this.#root = root;
    this.#sink = sink;
  }

  /** Reports the problems that have not been reported yet. */
  async show(problems: readonly Problem[], note = this.#sink.note): Promise<void> {
    const warnings: PushWarning[] = [];
    for (const { file, line, message } of problems) {
      const name = relative(process.cwd(), join(this.#docs.path, this.#root, file)) || '.';
      const text = `${name}${line === undefined ? '' : `:${line}`}: ${message}`;
      if (this.#shown.has(text)) continue;
      this.#shown.add(text);
      await note(text);
      warnings.push({ file: name, line: line ?? 1, message, level: 'warning', rule: 'content push' });
    }
    this.count += warnings.length;
    if (warnings.length > 0) await this.#sink.annotate(warnings);
  }
}

/** @throws EngineError if `failOn` is set and there are warnings */
export function refuseWarnings(failOn: string | undefined, warnings: readonly PushWarnings[]): void {
  const count = warnings.reduce((sum, each) => sum + each.count, 0);
  if (failOn === undefined || count === 0) return;
  const sentence = count === 1 ? 'There is 1 warning' : `There are ${count} warnings`;
  throw new EngineError('checkFailed', `${sentence}; nothing was sent.`, {
    hint: 'Fix the problems listed above, or push without --fail-on warning.',
  });
}
