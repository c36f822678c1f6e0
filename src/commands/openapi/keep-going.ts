import type { Invocation } from '../../cli/command/command.ts';
import { visible } from '../../cli/output/index.ts';
import { CommandError, someFailed } from '../../cli/program/failure.ts';
import { HttpError } from '../../client/errors/http-error.ts';
import { EngineError } from '../../shared/engine-error.ts';
import { count } from '../../cli/report/findings.ts';

/** What failed with `--keep-going`. Without it, the first error ends the command. */
export class KeptFailures {
  readonly #io: Invocation['io'];
  readonly #isOn: boolean;
  readonly #reasons = new Map<string, string>();

  constructor(io: Invocation['io'], isOn: boolean) {
    this.#io = io;
    this.#isOn = isOn;
  }

  get isEmpty(): boolean {
    return this.#reasons.size === 0;
  }

  reasonOf = (source: string): string | undefined => this.#reasons.get(source);

  /** Prints an error about one of several descriptions. @throws the error if the command ends with it */
  async add(source: string, error: unknown): Promise<void> {
    const isKept = error instanceof CommandError || error instanceof EngineError || error instanceof HttpError;
    if (!this.#isOn || !isKept) throw error;
    await this.#io.err.write(`error: ${visible(error.message)}\n`);
    this.#reasons.set(source, error.message);
  }

  /** The items that pass a check: all together, or with `--keep-going` each on its own. */
  async passing<T extends { source: string }>(
    items: readonly T[],
    check: (items: readonly T[]) => Promise<void> | void,
  ): Promise<readonly T[]> {
    if (!this.#isOn) {
      await check(items);
      return items;
    }
    const left: T[] = [];
    for (const item of items) {
      try {
        await check([item]);
        left.push(item);
      } catch (error) {
        await this.add(item.source, error);
      }
    }
    return left;
  }

  /** @throws CommandError (status 8) if something failed */
  throwIfAny(total: number): void {
    if (this.isEmpty) return;
    const names = [...this.#reasons.keys()].join(', ');
    throw someFailed(
      `${this.#reasons.size} of ${count(total, 'description')} failed: ${names}.`,
      'The errors are listed above.',
    );
  }
}
