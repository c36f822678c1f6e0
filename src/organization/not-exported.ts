/** Attributes that have no place in the files, although a copy of the organization would need them, and why. */
export const notExported: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  organization: {
    type: 'it is only set when an organization is created',
    customHostname: 'the API has no request that changes it',
  },
  member: { disabled: 'the API has no request that changes it' },
  page: { layout: 'the API has no request that changes it', cover: 'the API has no request that changes it' },
  'share link': { urls: 'they contain the key, which is secret; a new link gets another one' },
  'invite link': { id: 'it is the key, which is secret; a new link gets another one' },
};

/** The same for users, with the change requests. */
export const notExportedNote =
  'Not in the files: type and customHostname of the organization, disabled of members, layout and cover of pages, keys of share links and invite links, and change requests. docs/organization-coverage.md lists every attribute.';
