import { type Failure, failureOf } from '../../cli/program/failure.ts';

export interface Finding {
  check: string;
  state: 'ok' | 'warn' | 'fail';
  detail: string;
  hint?: string;
}

/** For errors without a hint. */
export const debugHint = '"docsctl api user --debug" shows the request and the response.';

export class Report {
  readonly findings: Finding[] = [];
  /** The status of the first check that failed. */
  exitCode: number | undefined;

  ok(check: string, detail: string): void {
    this.findings.push({ check, state: 'ok', detail });
  }

  warn(check: string, detail: string, hint: string): void {
    this.findings.push({ check, state: 'warn', detail, hint });
  }

  fail(check: string, { message, hint = debugHint, exitCode }: Pick<Failure, 'message' | 'hint' | 'exitCode'>): void {
    this.exitCode ??= exitCode;
    this.findings.push({ check, state: 'fail', detail: message.replace(/\.$/, ''), hint });
  }

  /** The result of `work`; undefined after reporting its failure. @param advice replaces the hint of the error */
  async attempt<T>(
    check: string,
    work: () => T | Promise<T>,
    advice?: string,
  ): Promise<{ value: Awaited<T> } | undefined> {
    try {
      return { value: await work() };
    } catch (error) {
      const failure = failureOf(error);
      this.fail(check, { ...failure, hint: advice ?? failure.hint });
      return undefined;
    }
  }
}
