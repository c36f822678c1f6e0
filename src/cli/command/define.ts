import type { AnswerOf, BodyInput, Endpoint, ItemOf, QueryInput } from '../../contract/endpoint.ts';
import type { Command, CommandInput, CommandOutput, Fields, Flag, Invocation, Suggest } from './command.ts';
import { withScopeArgument } from './scope-argument.ts';

/** `fail-on` is `failOn`. */
type Camel<Text extends string> = Text extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Text;

type FirstWord<Text extends string> = Text extends `${infer Head} ${string}` ? Head : Text;

/** Commander's name of an option: `out` for `-o, --out <file>`, `ci` for `--no-ci`, `H` for `-H <name:value>`. */
type OptionName<Flags extends string> = Flags extends `${string}--no-${infer Rest}`
  ? Camel<FirstWord<Rest>>
  : Flags extends `${string}--${infer Rest}`
    ? Camel<FirstWord<Rest>>
    : Flags extends `-${infer Rest}`
      ? FirstWord<Rest>
      : never;

type Choice<F> = F extends { choices: readonly (infer Word)[] } ? Word : string;

/** The value of an option: a switch, one text, an optional text, or several. */
type OptionValue<F extends Flag> = F['flags'] extends `${string}<${string}`
  ? F extends { repeatable: true | 'verbatim' }
    ? Choice<F>[]
    : Choice<F>
  : F['flags'] extends `${string}[${string}`
    ? string | true
    : boolean;

type OwnFlags<Flags extends readonly Flag[]> = string extends Flags[number]['flags']
  ? {}
  : { [F in Flags[number] as OptionName<F['flags']>]?: OptionValue<F> | undefined };

/** Commander's name of the option of a field: `ssoUrl` for `ssoURL`, `defaultLevel` for itself. */
type FieldName<Name extends string, AfterUpper extends boolean = false> = Name extends `${infer Letter}${infer Rest}`
  ? Letter extends Lowercase<Letter>
    ? `${Letter}${FieldName<Rest>}`
    : `${AfterUpper extends true ? Lowercase<Letter> : Letter}${FieldName<Rest, true>}`
  : Name;

/** What commander gives for the option of a field: texts are turned into values later. */
type FieldText<Value, Text> =
  NonNullable<Value> extends boolean ? boolean : NonNullable<Value> extends readonly unknown[] ? string[] : Text;

type FieldFlags<Input, Text = string> = {
  [Name in keyof Input & string as FieldName<Name>]?: FieldText<Input[Name], Text> | undefined;
};

/** In a list, a parameter that takes one value can be repeated. */
type QueryFlags<E> = FieldFlags<QueryInput<E>, [ItemOf<E>] extends [never] ? string : string | string[]>;
// Of an endpoint without a body, a mapped type would have every name.
type BodyFlags<E> = [BodyInput<E>] extends [never] ? {} : FieldFlags<BodyInput<E>>;

/** The flags that follow from an endpoint's query and body. Fields of nested objects have none here. */
type DerivedFlags<E> = E extends Endpoint ? QueryFlags<E> & BodyFlags<E> : {};

/** Lists have these flags everywhere, and their values are read already. */
type PagingFlag = 'limit' | 'page';

/** The flags of a command, by commander's names. */
export type FlagsOf<Flags extends readonly Flag[], E = undefined> = OwnFlags<Flags> &
  Omit<DerivedFlags<E>, keyof OwnFlags<Flags> | PagingFlag>;

type Argument<Word extends string> = Word extends `${'<' | '['}${infer Name}...${'>' | ']'}`
  ? { [N in Name]?: string[] | undefined }
  : Word extends `${'<' | '['}${infer Name}${'>' | ']'}`
    ? { [N in Name]?: string | undefined }
    : {};

type Arguments<Words extends string> = Words extends `${infer Word} ${infer Rest}`
  ? Argument<Word> & Arguments<Rest>
  : Argument<Words>;

/** The arguments of a command by name. All may be missing: in a terminal they are asked for then. */
export type ArgsOf<Use extends string> = Use extends `${string} ${infer Words}` ? Arguments<Words> : {};

/** What a command with this `use`, these flags and this endpoint is given: for its functions in files of their own. */
export type InvocationOf<
  Use extends string,
  Flags extends readonly Flag[] = readonly [],
  E extends Endpoint | undefined = undefined,
> = Invocation<ArgsOf<Use>, FlagsOf<Flags, E>, E>;

/** A command as its author writes it: what it is given is typed by `use`, its flags and its endpoint. */
export interface CommandSpec<
  Use extends string,
  Flags extends readonly Flag[],
  E extends Endpoint | undefined,
> extends Omit<Command, 'use' | 'endpoint' | 'flags' | 'input' | 'output' | 'run'> {
  use: Use;
  endpoint?: E;
  flags?: Flags;
  input?: Omit<CommandInput, 'body' | 'query' | 'suggestions'> & {
    body?(invocation: InvocationOf<Use, Flags, E>, params: Record<string, string>): Fields | Promise<Fields>;
    query?(invocation: InvocationOf<Use, Flags, E>): Fields | Promise<Fields>;
    suggestions?: Record<string, Suggest>;
  };
  output?: Omit<CommandOutput, 'member'> & { member?: keyof AnswerOf<E> & string };
  run?(invocation: InvocationOf<Use, Flags, E>): Promise<void>;
}

/** Makes a command whose functions are typed by its arguments, flags and endpoint. */
export function command<
  const Use extends string,
  const Flags extends readonly Flag[] = readonly [],
  E extends Endpoint | undefined = undefined,
>(spec: CommandSpec<Use, Flags, E>): Command {
  return { ...spec, use: withScopeArgument(spec) };
}
