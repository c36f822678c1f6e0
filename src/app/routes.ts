import { act } from './actions.ts';
import { requestComments, requestedPage, requestPage } from './change-request.ts';
import { type Contents, spaceOf } from './contents.ts';
import { collectionPage, organizationPage, organizationsPage } from './organization.ts';
import type { AppResponse } from './port.ts';
import { peoplePage, personPage } from './people.ts';
import { searchPage } from './search.ts';
import { siteList, sitePage } from './sites.ts';
import { specList, specPage } from './specifications.ts';
import { signOutPage } from './sign-out.ts';
import { commentList, requestList, revisionList, revisionPage, spacePage } from './space.ts';
import { NoPage, type Visit } from './visit.ts';

/** Finds the page at an address. @throws NoPage, or the error of the API */
export async function answerPage(visit: Visit, contents: Contents): Promise<AppResponse> {
  const [first, org = '', kind, id = '', ...rest] = visit.parts;
  if (first === '') return organizationsPage(visit);
  if (first === 'sign-out') return signOutPage(visit);
  if (org === '') throw new NoPage();
  if (kind === undefined) return organizationPage(visit, org);
  if (kind === 's') return answerInSpace(visit, contents, rest, id);
  if (kind === 'openapi') return id === '' ? specList(visit, org) : specPage(visit, org, id, rest);
  if (rest.length > 0) throw new NoPage();
  switch (kind) {
    case 'c':
      return collectionPage(visit, org, id);
    case 'sites':
      return id === '' ? siteList(visit, org) : sitePage(visit, org, id);
    case 'people':
      return id === '' ? peoplePage(visit, org) : personPage(visit, org, id);
    case 'search':
      if (id === '') return searchPage(visit, org);
  }
  throw new NoPage();
}

async function answerInSpace(visit: Visit, contents: Contents, rest: string[], id: string): Promise<AppResponse> {
  const space = await spaceOf(visit, visit.parts[1] ?? '', id);
  const [kind, name = '', ...path] = rest;
  if (rest.length === 1) {
    if (kind === '~requests') return requestList(visit, space);
    if (kind === '~comments') return commentList(visit, space);
    if (kind === '~revisions') return revisionList(visit, space);
  }
  if (kind === 'cr' && /^\d{1,15}$/.test(name)) {
    if (path.length === 0) return requestPage(visit, contents, space, name);
    return path.join('/') === '~comments'
      ? requestComments(visit, space, name)
      : requestedPage(visit, contents, space, [name, ...path]);
  }
  if (kind === 'r' && name !== '') return revisionPage(visit, contents, space, [name, ...path]);
  return spacePage(visit, contents, space, rest.join('/'));
}

/** Carries out what a form asks for. */
export async function answerForm(visit: Visit, form: URLSearchParams): Promise<AppResponse> {
  const [, org = '', kind, id = '', ...rest] = visit.parts;
  if (kind !== 's') throw new NoPage();
  return act(visit, await spaceOf(visit, org, id), rest, form);
}
