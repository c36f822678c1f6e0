import { conditions as allConditions, type Condition } from '../change-requests/condition-names.ts';
import { verifyMerged } from '../change-requests/conditions.ts';
import { mergeRequest } from '../change-requests/merge.ts';
import type { ChangeRequest } from '../change-requests/read-sides.ts';
import { HttpError } from '../client/errors/http-error.ts';
import { appPath } from '../contract/instance.ts';
import { EngineError } from '../shared/engine-error.ts';
import { html } from '../site/html.ts';
import { requestOf } from './change-request.ts';
import { type CommentPlace, familyOf, paramsOf, placePath } from './comments.ts';
import type { Space } from './contents.ts';
import { draw } from './frame.ts';
import type { AppResponse } from './port.ts';
import { problemNote } from './sign-in.ts';
import { redirect } from './responses.ts';
import { spaceFrame, spaceTrail } from './space-frame.ts';
import { NoPage, type Visit } from './visit.ts';

interface Sent {
  visit: Visit;
  place: CommentPlace;
  form: URLSearchParams;
}

/** What reviewers can do. @returns the ID of the element to show then */
const actions: Record<string, (sent: Sent) => Promise<string | undefined>> = {
  async comment({ visit, place, form }) {
    const [page, node] = [form.get('page'), form.get('node')];
    const body = {
      body: { markdown: textOf(form) },
      ...(page !== null && page !== '' && { page }),
      ...(node !== null && node !== '' && { node }),
    };
    const { id } = await visit.client.call(familyOf(place).create, { params: paramsOf(place), body });
    return `comment-${id}`;
  },
  async reply({ visit, place, form }) {
    const params = { ...paramsOf(place), commentId: commentOf(form) };
    const body = { body: { markdown: textOf(form) } };
    const { id } = await visit.client.call(familyOf(place).createReply, { params, query: {}, body });
    return `reply-${id}`;
  },
  async resolve({ visit, place, form }) {
    const params = { ...paramsOf(place), commentId: commentOf(form) };
    await visit.client.call(familyOf(place).edit, { params, body: { resolved: form.get('resolved') === 'true' } });
    return `comment-${params.commentId}`;
  },
  async react({ visit, place, form }) {
    const params = { ...paramsOf(place), commentId: commentOf(form) };
    const emoji = [form.get('emoji') ?? ''];
    const body = form.get('remove') === 'true' ? { removedReactions: emoji } : { addedReactions: emoji };
    await visit.client.call(familyOf(place).edit, { params, body });
    return `comment-${params.commentId}`;
  },
  async approve({ visit, place, form }) {
    seenRequest(place, form);
    const body = { body: { markdown: 'Approved' } };
    const { id } = await visit.client.call(familyOf(place).create, { params: paramsOf(place), body });
    return `comment-${id}`;
  },
  async merge({ visit, place, form }) {
    const request = seenRequest(place, form);
    const params = { spaceId: place.space.id, changeRequestId: request.id };
    const require = form.getAll('require').filter(isCondition);
    const { checked } = await mergeRequest(visit.client, params, { request, require });
    await verifyMerged(visit.client, params, checked);
    return undefined;
  },
};

const isCondition = (text: string): text is Condition => allConditions.some((condition) => condition === text);
const commentOf = (form: URLSearchParams): string => form.get('comment') ?? '';
/** Browsers send the line breaks of a text area as CR LF. */
const textOf = (form: URLSearchParams): string => (form.get('body') ?? '').replaceAll('\r\n', '\n');

/** @throws EngineError if the change request changed since the reviewer looked at it */
function seenRequest({ space, request }: CommentPlace, form: URLSearchParams): ChangeRequest {
  if (!request) throw new NoPage();
  if (form.get('revision') === request.revision) return request;
  throw new EngineError(
    'refused',
    `Change request #${request.number} of ${space.id} was changed after you opened the page. Nothing was sent: look at the changes first.`,
  );
}

/** Carries out what a form asks for, and leads back to its page. @param rest the address below the space */
export async function act(visit: Visit, space: Space, rest: string[], form: URLSearchParams): Promise<AppResponse> {
  const [name = '', number] = rest[0] === 'cr' ? [rest[2], rest[1]] : rest;
  const action = name.startsWith('~') && Object.hasOwn(actions, name.slice(1)) ? actions[name.slice(1)] : undefined;
  if (!action || rest.length > (rest[0] === 'cr' ? 3 : 1)) throw new NoPage();
  const request = rest[0] === 'cr' && number !== undefined ? await requestOf(visit, space, number) : undefined;
  const place = { space, request };
  const back = backOf(visit, place, form);
  try {
    const shown = await action({ visit, place, form });
    return redirect(`${back}?done=${name.slice(1)}${shown === undefined ? '' : `#${shown}`}`);
  } catch (error) {
    const problem = problemOf(error);
    if (!problem) throw error;
    return failed(visit, place, { ...problem, back, text: form.get('body') ?? '' });
  }
}

/** The page with the form. Other addresses are not accepted. */
function backOf(visit: Visit, place: CommentPlace, form: URLSearchParams): string {
  const back = form.get('back') ?? '';
  const own = placePath(place);
  const isOwn = appPath.test(back) && !/[?#]/.test(back) && (back === own || back.startsWith(`${own}/`));
  return visit.root + (isOwn ? back : own);
}

function problemOf(error: unknown): { message: string; status: number } | undefined {
  if (error instanceof EngineError) return { message: error.message, status: 409 };
  if (error instanceof HttpError && error.status < 500) return { message: error.message, status: error.status };
  return undefined;
}

/** Shows why nothing was done, and keeps the text that was typed. */
async function failed(
  visit: Visit,
  { space, request }: CommentPlace,
  { message, status, back, text }: { message: string; status: number; back: string; text: string },
): Promise<AppResponse> {
  const [first = '', ...lines] = message.split('\n');
  return draw(await spaceFrame(visit, space), {
    title: 'That did not work',
    status,
    breadcrumbs: [...spaceTrail(visit, space), ...(request ? [{ title: `#${request.number}`, href: back }] : [])],
    html: html`${problemNote(first)} ${lines.length > 0 && html`<pre><code>${lines.join('\n')}</code></pre>`}
      ${
        text !== '' &&
        html`<p>Your text, to copy:</p>
          <pre><code>${text}</code></pre>`
      }
      <p><a class="button button-primary" href="${back}">Back</a></p>`,
  });
}
