import { join } from 'node:path';
import { withoutEndSlashes } from '../../client/address.ts';
import type { BudgetOptions } from '../../client/budget/shared-budget.ts';
import type { Client } from '../../client/client.ts';
import type { Exchange } from '../../client/exchange.ts';
import type { Transport } from '../../client/transport.ts';
import type { ScopeName } from '../../contract/objects.ts';
import { settlingClient } from '../../client/settling-client.ts';
import { recordingClient } from '../../journal/recording-client.ts';
import type { Outcome, RunJournal } from '../../journal/run-journal.ts';
import type { Inherited } from '../command/command-lines.ts';
import { readConfig, type Config, profileNamed } from './config.ts';
import { readToken } from './credentials.ts';
import { CommandError, UsageError, exit } from '../program/failure.ts';
import type { Globals } from '../program/globals.ts';
import type { Io } from '../program/io.ts';
import { Approvals } from './approvals.ts';
import { assertDatabaseFolder, embeddedFile } from './database-folder.ts';
import { tokenInEnvironment, tokenVariable } from './token-sources.ts';
import { cacheDir, stateDir } from './paths.ts';
import { type Project, readProject } from './project.ts';
import { version } from '../../shared/version.ts';

/** Opens an instance in this process. Passed in by src/main.ts, so that src/cli does not import the server. */
export type OpenEmbedded = (options: { file: string; as?: string }) => Promise<Transport>;

/** Where settings come from, in order of precedence. */
export const origins = ['flag', 'environment', 'project', 'profile'] as const;
type Origin = (typeof origins)[number];

/** The value of a setting, and where it comes from. */
export interface Setting {
  value: string;
  origin: Origin;
  /** Name of the flag, variable, file or profile. */
  source: string;
}

/** What a run takes from its command line. */
export interface SessionOptions extends Partial<Omit<Inherited, 'globals' | 'streams' | 'signal'>> {
  globals: Globals;
  io: Io;
  openEmbedded: OpenEmbedded;
  signal: AbortSignal;
  /** The words of the command line, if its changes are recorded in the journal. */
  commandLine?: readonly string[];
  /** Whether the command is one that changes the service. */
  changesService?: boolean;
}

/** The journal of a profile, or of an address if no profile is used. */
export interface JournalPlace {
  folder: string;
  profile: string | undefined;
  url: string;
}

/** Whether docsctl may ask the user a question. */
interface Asking {
  ask?: boolean;
}

/** The service, the token and the default organization, space and site of a run. Everything is read on first use. */
export class Session {
  readonly globals: Globals;
  readonly env: Record<string, string | undefined>;
  readonly exchanges: Exchange[];
  /** Values that must not be written to the journal. */
  readonly secrets = new Set<string>();
  /** The journal entry that this run undoes. */
  undoes: number | undefined;
  readonly approvals: Approvals;
  readonly #options: SessionOptions;
  readonly #notes = new Set<string>();
  #config: Config | undefined;
  #project: Promise<Project | undefined> | undefined;
  #client: Promise<Client> | undefined;
  #journal: Promise<RunJournal> | undefined;
  #permission: Promise<boolean> | undefined;
  /** By profile. */
  readonly #commandTokens = new Map<string, Promise<string>>();

  constructor(options: SessionOptions) {
    this.#options = options;
    this.globals = options.globals;
    this.env = options.env ?? process.env;
    this.exchanges = options.exchanges ?? [];
    this.approvals = new Approvals(this, options);
  }

  /** What the command lines that this run runs take over. */
  get passed(): Pick<Inherited, 'exchanges' | 'entries' | 'wrapClient'> {
    const { entries, wrapClient } = this.#options;
    return { exchanges: this.exchanges, entries, wrapClient };
  }

  get config(): Config {
    return (this.#config ??= readConfig());
  }

  project(): Promise<Project | undefined> {
    return (this.#project ??= readProject((text) => this.#options.io.note(text)));
  }

  #variable(name: string): Setting | undefined {
    const value = this.env[name];
    return value ? { value, origin: 'environment', source: name } : undefined;
  }

  /**
   * Name of the profile: of a flag or variable, of the project file, or the current one. Only for showing it: the project
   * file may be untrusted. To use the profile, call `profileInUse`.
   */
  async profileName(): Promise<Setting | undefined> {
    const { profile } = this.globals;
    if (profile !== undefined) return { value: profile, origin: 'flag', source: '--profile' };
    const variable = this.#variable('DOCSCTL_PROFILE');
    if (variable) return variable;
    const project = await this.project();
    if (project?.profile !== undefined) return { value: project.profile, origin: 'project', source: project.file };
    const { current } = this.config;
    return current === undefined ? undefined : { value: current, origin: 'profile', source: 'the current profile' };
  }

  /**
   * The profile in use. A profile that a project file names is used only if the user has allowed it for that folder: the
   * author of the file must not choose the service and the token.
   *
   * @param options.ask whether a person at the terminal may be asked
   * @throws ProfileNotAllowed (status 3), CommandError (status 5) if the file names a profile that does not exist
   */
  async profileInUse({ ask = true }: Asking = {}): Promise<Setting | undefined> {
    const name = await this.profileName();
    if (name?.origin === 'project') await this.#requirePermission(name, ask);
    return name;
  }

  async #requirePermission({ value: profile, source: file }: Setting, ask: boolean): Promise<void> {
    const { url } = profileNamed(this.config.profiles, profile, file);
    const { askPermission, permissionOf, ProfileNotAllowed } = await import('./project-permission.ts');
    const permission = permissionOf(file, profile);
    if (permission) return;
    // --dry-run changes nothing, so an answer could not be saved.
    if (ask && permission === undefined && this.#options.io.interactive && !this.globals.dryRun) {
      if (await (this.#permission ??= askPermission(this.#options, { file, profile, url }))) return;
    }
    throw new ProfileNotAllowed(file, profile, permission === false);
  }

  /** The profile in use, for commands that show it: asks nothing, and returns the reason why it may not be used. */
  async profileStatus(): Promise<{ name?: string; refusal?: CommandError }> {
    const name = await this.profileName();
    try {
      await this.profileInUse({ ask: false });
      return name === undefined ? {} : { name: name.value };
    } catch (error) {
      if (error instanceof CommandError) return { refusal: error };
      throw error;
    }
  }

  /**
   * The address of the service, from the first of: --url, --profile, DOCSCTL_URL, the profile in use.
   *
   * @param options.ask as for `profileInUse`
   * @throws CommandError (status 3) if nothing names one, (status 5) if there is no such profile
   */
  async address(options?: Asking): Promise<Setting> {
    const { url, profile } = this.globals;
    if (profile !== undefined) profileNamed(this.config.profiles, profile, '--profile');
    if (url !== undefined) return checked({ value: url, origin: 'flag', source: '--url' });
    const variable = this.#variable('DOCSCTL_URL');
    if (variable && profile === undefined) return checked(variable);
    if (profile !== undefined) await this.#noteOverruled(profile);
    const name = await this.profileInUse(options);
    if (!name) {
      throw new CommandError('No service is set.', {
        exitCode: exit.unauthenticated,
        code: 'no-service',
        hint: 'Sign in with "docsctl auth login", make a local instance with "docsctl init", or set DOCSCTL_URL and DOCSCTL_TOKEN.',
      });
    }
    const { url: value } = profileNamed(this.config.profiles, name.value, name.source);
    return { value, origin: 'profile', source: name.value };
  }

  /**
   * The token, if there is one. That of DOCSCTL_TOKEN or DOCSCTL_TOKEN_FILE is sent to the address of DOCSCTL_URL or
   * --url, and never to that of a profile, which may be another service.
   *
   * @param options.ask as for `profileInUse`
   */
  async token(options?: Asking): Promise<Setting | undefined> {
    const { profile } = this.globals;
    const address = await this.address(options);
    const variable = profile === undefined ? tokenVariable(this.env) : undefined;
    if (variable && address.origin !== 'profile')
      return { value: tokenInEnvironment(this.env) ?? '', origin: 'environment', source: variable };
    if (profile !== undefined) await this.#noteOverruled(profile);
    const holder = await this.#holderOf(address, options);
    const token = holder === undefined ? undefined : await this.tokenOfProfile(holder);
    if (holder === undefined || token === undefined) return undefined;
    if (variable)
      await this.#noteOnce(
        `${variable} is ignored, because it is sent only to DOCSCTL_URL or --url, and the address comes from the profile "${holder}".`,
      );
    return { value: token, origin: 'profile', source: holder };
  }

  /**
   * The token of a profile: what its token-command prints, else the one that was saved. The command runs once.
   *
   * @throws CommandError (status 3)
   */
  tokenOfProfile(profile: string): Promise<string | undefined> {
    const command = this.config.profiles[profile]?.['token-command'];
    if (command === undefined) return readToken(profile);
    const token = this.#commandTokens.get(profile) ?? this.#runTokenCommand(command, profile);
    this.#commandTokens.set(profile, token);
    return token;
  }

  async #runTokenCommand(command: string, profile: string): Promise<string> {
    const { tokenFromCommand } = await import('./token-command.ts');
    const { signal, io } = this.#options;
    return tokenFromCommand(command, { profile, env: this.env, signal, interactive: io.interactive });
  }

  /** The token of the environment, which build servers must hide; undefined if there is none that can be used. */
  get tokenToHide(): string | undefined {
    try {
      return tokenInEnvironment(this.env);
    } catch {
      return undefined;
    }
  }

  /** The profile whose token may be sent to an address. A token is sent only to the address it was saved for. */
  async #holderOf(address: Setting, options?: Asking): Promise<string | undefined> {
    if (address.origin === 'profile') return address.source;
    const profile = (await this.profileName())?.value ?? '';
    if (this.config.profiles[profile]?.url !== withoutEndSlashes(address.value)) return undefined;
    return (await this.profileInUse(options))?.value;
  }

  /** The error if a service needs a token and there is none. */
  tokenMissing({ value, origin, source }: Setting): CommandError {
    const signIn = `docsctl auth login --profile ${source}`;
    const variable = this.globals.profile === undefined ? tokenVariable(this.env) : undefined;
    return new CommandError(`There is no token for ${value}.`, {
      exitCode: exit.unauthenticated,
      code: 'no-token',
      hint:
        origin !== 'profile'
          ? 'A token is sent only to the address it was saved for. Set DOCSCTL_TOKEN, or sign in there with "docsctl auth login".'
          : variable !== undefined
            ? `${variable} is sent only to DOCSCTL_URL or --url: set DOCSCTL_URL too, or sign in with "${signIn}".`
            : `Sign in with "${signIn}".`,
    });
  }

  async #noteOverruled(profile: string) {
    const names = ['DOCSCTL_URL', 'DOCSCTL_TOKEN', 'DOCSCTL_TOKEN_FILE'].filter((name) => this.env[name]);
    if (names.length > 0)
      await this.#noteOnce(
        `--profile ${profile} takes precedence over ${names.join(', ').replace(/, (?=[^,]*$)/, ' and ')}.`,
      );
  }

  async #noteOnce(text: string) {
    if (this.#notes.has(text)) return;
    this.#notes.add(text);
    await this.#options.io.note(text);
  }

  /** The client of this run, opened on first use. */
  client(): Promise<Client> {
    return (this.#client ??= this.#connect());
  }

  /** A client of another service; the caller closes it. Flags override `defaults` except for the user of an instance. */
  async clientFor(
    url: string,
    token: string | undefined,
    defaults: { timeout?: number; retries?: number; user?: string } = {},
  ): Promise<Client> {
    const { createClient } = await import('../../client/client.ts');
    const { debug, har, record, readOnly } = this.globals;
    const as = defaults.user ?? this.globals.as;
    const timeout = this.globals.timeout ?? defaults.timeout;
    const retries = this.globals.retries ?? defaults.retries;
    const embedded = embeddedFile(url, this.env);
    if (as !== undefined && embedded === undefined)
      throw new UsageError('--as works on an embedded instance only.', 'Over HTTP, the token decides who you are.');
    if (embedded !== undefined) assertDatabaseFolder(embedded, this.env);
    return createClient({
      url,
      token,
      userAgent: `docsctl/${version}`,
      signal: this.#options.signal,
      timeoutMs: timeout === undefined ? undefined : timeout * 1000,
      retries,
      ...(readOnly && { readOnly }),
      onWait: ({ reason, ms }) => void this.#options.io.note(`${reason}; retrying in ${Math.ceil(ms / 100) / 10} s.`),
      onExchange: debug || har !== undefined || record ? (exchange) => this.#observe(exchange) : undefined,
      ...(embedded === undefined
        ? { budget: this.#budgetOf(url, token) }
        : { transport: await this.#options.openEmbedded({ file: embedded, as }) }),
    });
  }

  /** The requests that all commands with this address and token may send, once the service has limited them. */
  #budgetOf(url: string, token: string | undefined): BudgetOptions {
    return {
      folder: join(cacheDir(this.env), 'budgets'),
      key: [url, token],
      onPace: (perMinute) =>
        void this.#options.io.note(
          `The service limits the rate, so requests are sent at about ${perMinute} a minute, together with those of other docsctl commands.`,
        ),
    };
  }

  async #connect(): Promise<Client> {
    const address = await this.address();
    const isEmbedded = embeddedFile(address.value, this.env) !== undefined;
    const token = isEmbedded ? undefined : await this.token();
    if (!isEmbedded && token === undefined) throw this.tokenMissing(address);
    const client = settlingClient(await this.clientFor(address.value, token?.value), this.#options.signal);
    const { value: journal } = await this.journal();
    if (this.#options.commandLine === undefined || this.globals.dryRun) return client;
    if (journal === 'off') return this.approvals.guarded(client);
    if (token !== undefined) this.secrets.add(token.value);
    const journalOf = () => (this.#journal ??= this.#openJournal(client, address));
    return this.approvals.guarded(recordingClient(client, journalOf));
  }

  /** Whether changes are kept in the journal, `on` or `off`, by flag, environment or profile; no source by default. */
  async journal(options?: Asking): Promise<Setting> {
    if (this.globals.journal === false) return { value: 'off', origin: 'flag', source: '--no-journal' };
    const variable = this.#variable('DOCSCTL_JOURNAL');
    if (variable) return { ...variable, value: journalValue(variable.value, variable.source) };
    const address = await this.address(options);
    const value = address.origin === 'profile' ? this.config.profiles[address.source]?.journal : undefined;
    return { value: value ?? 'on', origin: 'profile', source: value === undefined ? '' : address.source };
  }

  /** Where the changes to a service are kept. @param address the current one by default */
  async journalPlace(address?: Setting): Promise<JournalPlace> {
    const { value: url, origin, source } = address ?? (await this.address());
    const { journalFolder } = await import('../../journal/journal-files.ts');
    const profile = origin === 'profile' ? source : undefined;
    return { folder: journalFolder(stateDir(this.env), { profile, url }), profile, url };
  }

  /** Identifies the service and the user of this run. */
  async callerKey(): Promise<string> {
    const [{ callerKey }, { value: url }] = await Promise.all([import('../../journal/known-user.ts'), this.address()]);
    const file = embeddedFile(url, this.env);
    const token = file === undefined ? (await this.token())?.value : undefined;
    return callerKey({ url, token, as: this.globals.as, file });
  }

  async #openJournal(client: Client, address: Setting): Promise<RunJournal> {
    const [{ RunJournal }, callerKey, place] = await Promise.all([
      import('../../journal/run-journal.ts'),
      this.callerKey(),
      this.journalPlace(address),
    ]);
    const warn = async (text: string) => void (await this.#options.io.err.write(`${text}\n`));
    return new RunJournal(client, {
      ...place,
      callerKey,
      command: this.#options.commandLine ?? [],
      secrets: [...this.secrets],
      undoes: this.undoes,
      warn,
    });
  }

  /** Adds the changes of this run to the journal. */
  async keepJournal(outcome: Outcome): Promise<void> {
    if (this.#journal) {
      const entry = await (await this.#journal).finish(outcome);
      return void (entry && this.#options.entries?.push(entry));
    }
    const { commandLine, changesService = false } = this.#options;
    if (outcome.status === 0 || !changesService || !commandLine || this.globals.dryRun) return;
    try {
      const asking = { ask: false };
      // Without a journal, it is not known whether the command changed anything.
      if ((await this.journal(asking)).value === 'off') return;
      const [{ keepFailure }, { folder }] = await Promise.all([
        import('../../journal/last-failure.ts'),
        this.journalPlace(await this.address(asking)),
      ]);
      await keepFailure(folder, commandLine, outcome.status);
    } catch {
      // Without a service, there is no journal.
    }
  }

  /** The organization, space or site, from the first of: flag, environment, project file, profile. */
  async scope(name: ScopeName, flag: string | undefined, options?: Asking): Promise<Setting | undefined> {
    if (flag !== undefined) return { value: flag, origin: 'flag', source: `--${name}` };
    const variable = this.#variable(`DOCSCTL_${name.toUpperCase()}`);
    if (variable) return variable;
    const project = await this.project();
    if (project?.[name] !== undefined) return { value: project[name], origin: 'project', source: project.file };
    // The defaults of a profile are ids of its service only.
    const address = await this.address(options);
    if (address.origin !== 'profile') return undefined;
    const value = this.config.profiles[address.source]?.[name];
    return value === undefined ? undefined : { value, origin: 'profile', source: address.source };
  }

  #observe(exchange: Exchange) {
    if (this.globals.debug) void this.#options.io.exchange(exchange);
    // Kept only for a HAR file: the exchanges of a long list take much memory.
    const isChange = exchange.request.method !== 'GET';
    if (this.globals.har !== undefined || (this.globals.record && isChange)) this.exchanges.push(exchange);
  }

  async close(): Promise<void> {
    if (this.#client) await (await this.#client.catch(() => undefined))?.close();
    if (this.globals.har === undefined) return;
    const { writeHar } = await import('../program/har.ts');
    writeHar(this.globals.har, this.exchanges);
  }
}

/** @throws UsageError for another word than on and off */
export function journalValue(text: string, source: string): string {
  if (text === 'on' || text === 'off') return text;
  throw new UsageError(`${source}: "${text}" is neither on nor off.`, undefined, 'invalid-value');
}

/** @throws UsageError for a text that is not an address */
function checked(address: Setting): Setting {
  const { value, source } = address;
  if (value.startsWith('embedded:') || (/^https?:\/\//i.test(value) && URL.canParse(value))) return address;
  throw new UsageError(
    `${source}: "${value.replace(/\/\/[^/?#]*@/, '//')}" is not a service URL.`,
    'Use an address such as https://docs.example or http://127.0.0.1:4000, or embedded:<file>.',
    'invalid-address',
  );
}
