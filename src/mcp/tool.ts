import * as z from 'zod/mini';

/** How a command prints: one JSON value per line, one JSON value, or text. */
export type Output = 'items' | 'object' | 'text';

/** The command line of a call. */
export interface ToolCall {
  words: readonly string[];
  output: Output;
  /** What is shown of each item, or of the object: a text, or anything that is printed as JSON. */
  show?: (value: unknown) => unknown;
  /** Exit statuses that are results, besides 0. */
  results?: readonly number[];
  /** The text is docsctl's own, so it is not marked as data. */
  isOwn?: boolean;
  /** Where a long result continues, in characters. */
  from?: number;
}

/** A mistake in a call, which the agent can correct. */
export class Refusal extends Error {}

interface ToolSpec<Input extends z.ZodMiniType, Context> {
  name: string;
  title: string;
  description: string;
  input: Input;
  /** What it may change: nothing, or it adds a proposal. */
  changes: 'nothing' | 'proposals';
  /** Adds the result as data, besides the text. */
  isStructured?: boolean;
  /** @throws Refusal */
  call(input: z.infer<Input>, context: Context): ToolCall | Promise<ToolCall>;
}

/** A tool that an agent can call. */
export interface Tool extends Omit<ToolSpec<z.ZodMiniType, unknown>, 'call' | 'input'> {
  inputSchema: () => object;
  /** The command line for arguments that come from a model. @throws Refusal */
  call(args: unknown): Promise<ToolCall>;
}

/** Makes a tool of its description, for the context that its calls need. The call is typed by the schema of the input. */
export const tool =
  <const Input extends z.ZodMiniType, Context>({ input, call, ...others }: ToolSpec<Input, Context>) =>
  (context: Context): Tool => ({
    ...others,
    inputSchema: () => schemaOf(input),
    async call(args) {
      const parsed = z.safeParse(input, args);
      if (!parsed.success) throw new Refusal(parsed.error.issues.map(issueText).join('\n'));
      return call(parsed.data, context);
    },
  });

/** What is wrong with an argument, in words that help to correct it. */
function issueText(issue: z.core.$ZodIssue): string {
  const name = issue.path.length > 0 ? `"${issue.path.join('.')}"` : 'The arguments';
  switch (issue.code) {
    case 'unrecognized_keys':
      return `There is no argument ${issue.keys.map((key) => `"${key}"`).join(', ')}.`;
    case 'invalid_value':
      return `${name} must be one of: ${issue.values.join(', ')}.`;
    case 'invalid_type':
      return `${name} is missing or is not of type ${issue.expected}.`;
    case 'custom':
      return `${name} ${issue.message}.`;
    default:
      return `${name} is not valid.`;
  }
}

/** Without the address of the dialect: it is the default one of the protocol. */
function schemaOf(input: z.ZodMiniType): object {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input' });
  return schema;
}

/** A tool as `tools/list` describes it. */
export const listed = ({ name, title, description, inputSchema, changes }: Tool): object => ({
  name,
  title,
  description,
  inputSchema: inputSchema(),
  annotations: {
    readOnlyHint: changes === 'nothing',
    ...(changes === 'proposals' && { destructiveHint: false }),
  },
});
