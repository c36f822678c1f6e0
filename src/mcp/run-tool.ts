import { Excerpt, type Shown } from './excerpt.ts';
import { ItemLines, WholeText } from './collect.ts';
import { markedAsData, withoutInvisible } from './mark.ts';
import { type Output, Refusal, type Tool, type ToolCall } from './tool.ts';

/** Takes what a command prints. */
export interface Sink {
  write(chunk: string | Uint8Array): void;
}

export interface RunOptions {
  output: Output;
  /** Whether the command may add a proposal. All others can only read. */
  mayPropose: boolean;
  out: Sink;
  signal: AbortSignal;
  onCount(done: number, total: number | undefined): void;
}

export interface RunResult {
  status: number;
  /** The message and the hint, if it failed. */
  error: string | undefined;
  /** Remarks beside the result. */
  notes: string;
}

/** Runs a command line. */
export interface Port {
  run(words: readonly string[], options: RunOptions): Promise<RunResult>;
}

/** The members of a result of `tools/call`. */
export interface ToolResult {
  content: { type: 'text'; text: string }[];
  structuredContent?: object;
  isError?: true;
}

export const refused = (message: string): ToolResult => ({ content: [{ type: 'text', text: message }], isError: true });

/** Remarks beyond this length are cut. */
const maxNotes = 2_000;
/** A larger result is text only: it would be in the context of the agent twice. */
const maxStructured = 4_000;

/** Calls a tool. A mistake of the agent, and an error of the command, are results too. */
export async function runTool(
  tool: Tool,
  args: unknown,
  { port, signal, onCount }: Pick<RunOptions, 'signal' | 'onCount'> & { port: Port },
): Promise<ToolResult> {
  let call: ToolCall;
  try {
    call = await tool.call(args);
  } catch (error) {
    if (error instanceof Refusal) return refused(error.message);
    throw error;
  }
  const full = new AbortController();
  const end = () => full.abort();
  const excerpt = new Excerpt(call.from ?? 0);
  const collected = call.output === 'items' ? new ItemLines(excerpt, call.show, end) : new WholeText(end);
  const { status, error, notes } = await port.run(call.words, {
    output: call.output,
    mayPropose: tool.changes === 'proposals',
    out: collected,
    signal: AbortSignal.any([signal, full.signal]),
    onCount,
  });
  signal.throwIfAborted();
  if (collected instanceof WholeText && full.signal.aborted)
    return refused('The result is too large. Ask for a part of it.');
  collected.end();
  const value = collected instanceof WholeText ? collected.value(call.output) : undefined;
  if (collected instanceof WholeText) excerpt.add(textOf(value, call.show));
  const shown = excerpt.shown(!full.signal.aborted);
  const isResult = status === 0 || full.signal.aborted || (call.results ?? []).includes(status);
  const text = [
    ...(isResult ? [] : [`The command failed with exit status ${status}.`]),
    bodyOf(call, { shown, error: isResult ? undefined : error, notes: full.signal.aborted ? '' : notes }),
    ...rest(shown),
  ].join('\n');
  return {
    content: [{ type: 'text', text }],
    ...(isResult && tool.isStructured && shown.text.length <= maxStructured && structured(value)),
    ...(!isResult && { isError: true }),
  };
}

interface Body {
  shown: Shown;
  error: string | undefined;
  notes: string;
}

function bodyOf({ isOwn = false }: ToolCall, { shown, error, notes }: Body): string {
  const parts = [shown.text, error ?? '', notes.length > maxNotes ? `${notes.slice(0, maxNotes)}... (cut)` : notes]
    .map((part) => withoutInvisible(part.trimEnd()))
    .filter((part) => part !== '');
  const text = parts.join('\n') || 'Nothing.';
  return isOwn ? text : markedAsData(text);
}

/** What was left out, and how to get it. */
function rest({ from, next, total, text }: Shown): string[] {
  if (next === undefined) return from > 0 && text === '' ? [`Nothing follows character ${from}.`] : [];
  const length = total === undefined ? 'more follows' : `${total - next} of ${total} characters follow`;
  return [`Cut: ${length}. Call again with the same arguments and "from": ${next}.`];
}

/** The object as data, in a member whose name says what it is. */
const structured = (value: unknown): { structuredContent?: object } =>
  typeof value === 'object' && value !== null ? { structuredContent: { untrustedData: value } } : {};

function textOf(value: unknown, show: ToolCall['show']): string {
  const shown = show && typeof value === 'object' ? show(value) : value;
  return typeof shown === 'string' ? shown : membersText(shown);
}

/** JSON with one member or item per line, so that it can be cut between them. */
function membersText(value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => JSON.stringify(item)).join('\n');
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  return Object.entries(value)
    .map(([name, member]) =>
      Array.isArray(member) && member.length > 0
        ? `${name}:\n${member.map((item) => `  ${JSON.stringify(item)}`).join('\n')}`
        : `${name}: ${JSON.stringify(member)}`,
    )
    .join('\n');
}
