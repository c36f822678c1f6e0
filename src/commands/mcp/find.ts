import { Refusal, type ToolCall } from '../../mcp/tool.ts';
import { getFrom } from '../../shared/get-from.ts';
import { isObject } from '../../shared/is-object.ts';
import { pageLines } from './show.ts';

interface Kind {
  /** The command line, without its filter. `in` names what the objects are in. */
  words: (where: string | undefined) => string[];
  /** The fields that are shown; all by default. */
  columns?: string;
  /** The fields of which one must contain the text. */
  text?: readonly string[];
  /** What `in` names, if it is needed. */
  in?: string;
  show?: ToolCall['show'];
}

const requestColumns = 'id,number,subject,status,createdBy.displayName,updatedAt,outdated';

/** The kinds of objects that the tool "find" lists. */
const kinds: Readonly<Record<string, Kind>> = {
  me: { words: () => ['whoami'] },
  organizations: { words: () => ['orgs', 'list'], columns: 'id,title,hostname', text: ['title'] },
  collections: {
    words: () => ['collections', 'list'],
    columns: 'id,title,parent,description,defaultLevel',
    text: ['title'],
  },
  spaces: {
    words: () => ['spaces', 'list'],
    columns: 'id,title,parent,visibility,defaultLevel,updatedAt,changeRequestsOpen,urls.app',
    text: ['title'],
  },
  pages: {
    words: (space) => ['content', 'pages', 'list', `--space=${space}`],
    text: ['title'],
    in: 'space',
    show: pageLines,
  },
  files: {
    words: (space) => ['content', 'files', 'list', `--space=${space}`],
    columns: 'id,name,contentType,size',
    text: ['name'],
    in: 'space',
  },
  'change-requests': {
    words: (space) =>
      space === undefined
        ? ['cr', 'list', '--all-spaces', `--columns=${requestColumns},space`]
        : ['cr', 'list', `--space=${space}`, `--columns=${requestColumns}`],
    text: ['subject'],
  },
  comments: {
    words: (space) => ['comments', 'list', `--space=${space}`],
    columns: 'id,status,body.markdown,postedBy.displayName,postedAt,target.page.path,replies',
    in: 'space',
  },
  members: {
    words: () => ['members', 'list'],
    columns: 'id,user.displayName,user.email,role,disabled,lastSeenAt',
    text: ['user.displayName', 'user.email'],
  },
  teams: { words: () => ['teams', 'list'], columns: 'id,title,members', text: ['title'] },
  'team-members': {
    words: (team = '') => ['teams', 'members', 'list', team],
    columns: 'organization.id,organization.user.displayName,organization.user.email,team.role',
    in: 'team',
  },
  sites: {
    words: () => ['sites', 'list'],
    columns: 'id,title,visibility,published,siteSpaces,urls.published',
    text: ['title'],
  },
  fields: { words: () => ['fields', 'list'], columns: 'id,name,title,type,options', text: ['title'] },
  openapi: { words: () => ['openapi', 'list'], columns: 'id,slug,processingState,lastProcessedAt', text: ['slug'] },
};

export const kindNames = Object.keys(kinds);

interface Query {
  kind: string;
  text?: string | undefined;
  in?: string | undefined;
  from?: number | undefined;
}

export function findCall({ kind, text, in: where, from }: Query): ToolCall {
  const { words, columns, text: fields, in: needed, show } = getFrom(new Map(Object.entries(kinds)), kind);
  if (needed !== undefined && where === undefined) throw new Refusal(`"in" is missing: the ${needed} of the ${kind}.`);
  if (text !== undefined && !fields) throw new Refusal(`"text" cannot be used with ${kind}.`);
  const conditions = text === undefined ? [] : (fields ?? []).map((field) => `${field}~${JSON.stringify(text)}`);
  return {
    words: [
      ...words(where),
      ...(conditions.length > 0 ? [`--filter=${conditions.join(' or ')}`] : []),
      ...(columns === undefined ? [] : [`--columns=${columns}`]),
    ],
    output: kind === 'me' ? 'object' : 'items',
    ...(show && { show }),
    ...(kind === 'me' && { show: withoutObject }),
    ...(from !== undefined && { from }),
  };
}

/** The caller without the address of the service, which an agent does not need. */
function withoutObject(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { object: _, url: _url, urls: _urls, ...rest } = value;
  return rest;
}
