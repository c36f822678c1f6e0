import type { Exchange } from '../../client/exchange.ts';
import { visible } from '../../cli/output/index.ts';
import type { StoredReport } from '../../proposals/pages.ts';
import { isObject } from '../../shared/is-object.ts';
import { changesText } from './print-plan.ts';
import type { Difference } from '../../rehearsal/compare.ts';

/** A request of the rehearsal with its response. */
export interface RehearsedRequest {
  method: string;
  path: string;
  body?: unknown;
  /** Undefined if there was no response. */
  status?: number;
  answer?: unknown;
}

export const requestsOf = (exchanges: readonly Exchange[]): RehearsedRequest[] =>
  exchanges.map(({ request, response }) => ({
    method: request.method,
    path: request.path,
    ...(request.body !== undefined && { body: valueOf(request.body) }),
    ...(response && { status: response.status }),
    ...(response && response.body.length > 0 && { answer: valueOf(response.body) }),
  }));

function valueOf(body: string | Uint8Array): unknown {
  const text = typeof body === 'string' ? body : Buffer.from(body).toString();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

interface Report {
  requests: readonly RehearsedRequest[];
  difference: Pick<Difference, 'changes' | 'access' | 'brokenLinks'>;
  /** What the copy lacks because the caller may not read it, with the number of each. */
  notChecked: Readonly<Record<string, number>>;
  color: boolean;
}

/** The rehearsal of a proposal. */
export const storedText = (report: StoredReport, color: boolean): Promise<string> =>
  reportText({ requests: report.requests, difference: report, notChecked: report.notChecked, color });

/** The most lines per section. -o json prints all. */
const maxRows = 50;

export async function reportText({ requests, difference, notChecked, color }: Report): Promise<string> {
  const { changes, access, brokenLinks } = difference;
  const parts = [
    part(['request', 'requests'], requests.map(requestText)),
    part(
      ['change', 'changes'],
      changes.length > 0 ? (await changesText(changes, color)).split('\n') : [],
      changes.length,
    ),
    part(['change of access', 'changes of access'], accessLines(access), access.length),
    part(
      ['link that breaks', 'links that break'],
      brokenLinks.map(({ space, page, target }) => `- ${visible(space)}: ${visible(page)}: ${visible(target)}`),
    ),
    ...notCheckedPart(notChecked),
  ];
  return `${parts.join('\n')}\n`;
}

function notCheckedPart(notChecked: Report['notChecked']): string[] {
  const lines = Object.entries(notChecked).map(([what, count]) => `  ${what} (${count})`);
  return lines.length > 0 ? ['Not checked, because you may not read it:', ...lines] : [];
}

function part([one, several]: [string, string], lines: readonly string[], count = lines.length): string {
  if (count === 0) return `No ${several}.`;
  const shown = lines.slice(0, maxRows).map((line) => `  ${line}`);
  const more = lines.length > maxRows ? [`  ... and ${lines.length - maxRows} more lines; -o json prints all`] : [];
  return [`${count} ${count === 1 ? one : several}:`, ...shown, ...more].join('\n');
}

/** The most people in a line of changed access. */
const maxNamed = 5;

/** One line for all people whose access to a space changes in the same way. */
function accessLines(access: Difference['access']): string[] {
  const alike = Map.groupBy(access, ({ space, before, after }) => JSON.stringify([space, before, after]));
  return [...alike.values()].flatMap((list) => {
    const [first] = list;
    if (!first) return [];
    const { space, before, after } = first;
    const names = list.slice(0, maxNamed).map(({ member }) => visible(member));
    const people = list.length > maxNamed ? `${list.length} members (${names.join(', ')}, ...)` : names.join(', ');
    const sign = after === null ? '-' : before === null ? '+' : '~';
    return [`${sign} ${visible(space)}: ${before ?? 'nothing'} -> ${after ?? 'nothing'}: ${people}`];
  });
}

function requestText({ method, path, status, answer }: RehearsedRequest): string {
  const error = isObject(answer) && isObject(answer.error) ? `: ${visible(String(answer.error.message))}` : '';
  return `${method} ${visible(path)} -> ${status ?? 'no response'}${error}`;
}
