import type { AppResponse } from './port.ts';
import { organizationPage, organizationsPage } from './organization.ts';
import { signOutPage } from './sign-out.ts';
import { NoPage, type Visit } from './visit.ts';

/** Contents that were read before. */
export class Contents {}

/** Finds the page at an address. @throws NoPage, or the error of the API */
export async function answerPage(visit: Visit, _contents: Contents): Promise<AppResponse> {
  const [first, org = '', kind] = visit.parts;
  if (first === '') return organizationsPage(visit);
  if (first === 'sign-out') return signOutPage(visit);
  if (org === '') throw new NoPage();
  switch (kind) {
    case undefined:
      return organizationPage(visit, org);
    default:
      throw new NoPage();
  }
}

/** Carries out what a form asks for. */
export async function answerForm(_visit: Visit, _contents: Contents, _form: URLSearchParams): Promise<AppResponse> {
  throw new NoPage();
}
