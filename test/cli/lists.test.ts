import { expect, test } from 'vitest';
import { listOf } from '../../src/contract/object-lists.ts';
import { type GroupName, groups, loadGroup } from '../../src/contract/groups.ts';

/** Nothing lists these: revisions, what is no object, and what is given by its path or by its name on purpose. */
const typed = [
  'changeRequestContent.pageByPath {pagePath}',
  'content.pageByPath {pagePath}',
  'invites.accept {inviteId}',
  'orgs.byDomain {emailDomain}',
  'revisions.file {revisionId}',
  'revisions.files {revisionId}',
  'revisions.page {revisionId}',
  'revisions.pageByPath {pagePath}',
  'revisions.pageByPath {revisionId}',
  'revisions.pages {revisionId}',
  'revisions.view {revisionId}',
  'subdomains.view {subdomain}',
];

test('every object of a path can be chosen from a list', async () => {
  const missing: string[] = [];
  for (const name of Object.keys(groups) as GroupName[]) {
    for (const endpoint of Object.values(await loadGroup(name))) {
      for (const [, param] of endpoint.path.matchAll(/\{(\w+)\}/g))
        if (!(await listOf(param!, endpoint.path))) missing.push(`${endpoint.name} {${param}}`);
    }
  }

  expect(missing.toSorted()).toEqual(typed.toSorted());
});
