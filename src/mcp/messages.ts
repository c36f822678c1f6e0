import * as z from 'zod/mini';

/** Codes of JSON-RPC, and those that the Model Context Protocol adds. */
export const code = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  unsupportedProtocolVersion: -32022,
} as const;

/** An error that a client gets instead of a result. */
export class ProtocolError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(errorCode: number, message: string, data?: unknown) {
    super(message);
    this.code = errorCode;
    this.data = data;
  }
}

export const Id = z.union([z.string(), z.int()]);
export type Id = z.infer<typeof Id>;

const Members = z.record(z.string(), z.unknown());

const Request = z.object({ jsonrpc: z.literal('2.0'), id: Id, method: z.string(), params: z.optional(Members) });
const Notification = z.object({ jsonrpc: z.literal('2.0'), method: z.string(), params: z.optional(Members) });

export type Request = z.infer<typeof Request>;
export type Notification = z.infer<typeof Notification>;

/** What a line of a client is. */
export type Message =
  | { kind: 'request'; request: Request }
  | { kind: 'notification'; notification: Notification }
  /** A response, which no request of ours expects. */
  | { kind: 'response' }
  | { kind: 'invalid'; id: Id | undefined; error: ProtocolError };

/** Reads one line. It never throws. */
export function messageIn(line: string): Message {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return invalid(undefined, code.parseError, 'This is not JSON.');
  }
  const members = Members.safeParse(value);
  if (Array.isArray(value) || !members.success)
    return invalid(undefined, code.invalidRequest, 'A message is one JSON object; batches are not supported.');
  const { id, method } = members.data;
  if (method === undefined && ('result' in members.data || 'error' in members.data)) return { kind: 'response' };
  const request = Request.safeParse(value);
  if (request.success) return { kind: 'request', request: request.data };
  if (!('id' in members.data)) {
    const notification = Notification.safeParse(value);
    if (notification.success) return { kind: 'notification', notification: notification.data };
  }
  const known = Id.safeParse(id);
  return invalid(
    known.success ? known.data : undefined,
    code.invalidRequest,
    'A request has "jsonrpc": "2.0", an "id" that is a string or an integer, a "method", and "params" that are an object.',
  );
}

const invalid = (id: Id | undefined, errorCode: number, message: string): Message => ({
  kind: 'invalid',
  id,
  error: new ProtocolError(errorCode, message),
});

export const resultText = (id: Id, result: object): string => `${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`;

export const notificationText = (method: string, params: object): string =>
  `${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`;

/** @param id absent if it could not be read */
export function errorText(id: Id | undefined, { code: errorCode, message, data }: ProtocolError): string {
  const error = { code: errorCode, message, ...(data !== undefined && { data }) };
  return `${JSON.stringify({ jsonrpc: '2.0', ...(id !== undefined && { id }), error })}\n`;
}
