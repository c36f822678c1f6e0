import type { Call, TestInstance } from './instance.ts';

/** An organization with one of everything, by the names that path parameters have for them. */
export interface World {
  orgId: string;
  spaceId: string;
  collectionId: string;
  /** A collection in `collectionId`; it holds `spaceId`. */
  innerCollectionId: string;
  deletedSpaceId: string;
  siteId: string;
  siteSectionId: string;
  siteSectionGroupId: string;
  siteSpaceId: string;
  shareLinkId: string;
  teamId: string;
  /** A member with the role `read`, who is in the team. */
  userId: string;
  inviteId: string;
  samlProviderId: string;
  fieldName: string;
  translationSettingsId: string;
  specSlug: string;
  versionId: string;
  changeRequestId: string;
  /** On the main content, posted by the administrator; so is its reply. */
  commentId: string;
  commentReplyId: string;
  /** The same on the change request. */
  requestCommentId: string;
  requestReplyId: string;
  pageId: string;
  pagePath: string;
  fileId: string;
  revisionId: string;
  emailDomain: string;
  subdomain: string;
}

const openapi = '{"openapi":"3.1.0","info":{"title":"Pumps","version":"1"},"paths":{}}';

/** Builds a world as `call`, an administrator of the organization. @param name part of every name, to tell worlds apart */
export async function buildWorld(
  { instance, user }: Pick<TestInstance, 'instance' | 'user'>,
  call: Call,
  orgId: string,
  name: string,
): Promise<World> {
  const org = `/v1/orgs/${orgId}`;
  const made = async (method: string, path: string, body?: object): Promise<any> => {
    const answer = await call(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const id = async (...request: Parameters<typeof made>): Promise<string> => (await made(...request)).id;

  await made('PATCH', org, { hostname: name, emailDomains: [`${name}.example`] });
  const collectionId = await id('POST', `${org}/collections`, { title: name });
  const innerCollectionId = await id('POST', `${org}/collections`, { title: name, parent: collectionId });
  const spaceId = await id('POST', `${org}/spaces`, { title: name, parent: innerCollectionId });
  const deletedSpaceId = await id('POST', `${org}/spaces`);
  await made('DELETE', `/v1/spaces/${deletedSpaceId}`);
  const space = `/v1/spaces/${spaceId}`;

  const changed = await made('POST', `${space}/content?compat=false`, {
    changes: [
      { operation: 'insert_page', title: name, slug: name, document: { markdown: `Words of ${name}.` } },
      {
        operation: 'insert_files',
        files: [{ name: `${name}.txt`, base64: Buffer.from(name).toString('base64'), contentType: 'text/plain' }],
      },
    ],
  });
  const changeRequestId = await id('POST', `${space}/change-requests`, { subject: name });
  const request = `${space}/change-requests/${changeRequestId}`;
  await made('POST', `${request}/content`, {
    changes: [{ operation: 'update_page', page: changed.changes[0].page.id, title: `${name} changed` }],
  });
  await made('PATCH', request, { status: 'open' });
  const body = { body: { markdown: name } };
  const commentId = await id('POST', `${space}/comments`, body);
  const requestCommentId = await id('POST', `${request}/comments`, body);

  const siteId = await id('POST', `${org}/sites`, { title: name, spaces: [await id('POST', `${org}/spaces`)] });
  const site = `${org}/sites/${siteId}`;
  const siteSectionId = await id('POST', `${site}/sections`, { spaceId: await id('POST', `${org}/spaces`) });
  const siteSpaceId = await id('POST', `${site}/site-spaces`, { spaceId, sectionId: siteSectionId });
  await made('POST', `${site}/publish`);
  await made('PUT', `${site}/adaptive-schema`, {
    jsonSchema: { type: 'object', properties: {}, additionalProperties: false },
  });

  const userId = await user({ role: 'read', org: orgId });
  const specSlug = `${name}-spec`;
  await made('POST', `${org}/openapi`, { slug: specSlug, source: { text: openapi } });
  await instance.background.drain();
  const fieldName = `${name}_field`;
  await made('POST', `${org}/custom-fields`, { name: fieldName, type: 'text' });

  return {
    orgId,
    spaceId,
    collectionId,
    innerCollectionId,
    deletedSpaceId,
    siteId,
    siteSectionId,
    siteSectionGroupId: await id('POST', `${site}/section-groups`, { title: name, sections: [siteSectionId] }),
    siteSpaceId,
    shareLinkId: await id('POST', `${site}/share-links`, { name }),
    teamId: await id('PUT', `${org}/teams`, { title: name, members: [userId] }),
    userId,
    inviteId: await id('POST', `${org}/link-invites`, { role: 'read' }),
    samlProviderId: await id('POST', `${org}/saml`, { label: name }),
    fieldName,
    translationSettingsId: await id('POST', `${org}/translations`, { title: name }),
    specSlug,
    versionId: await id('GET', `${org}/openapi/${specSlug}/versions/latest`),
    changeRequestId,
    commentId,
    commentReplyId: await id('POST', `${space}/comments/${commentId}/replies`, body),
    requestCommentId,
    requestReplyId: await id('POST', `${request}/comments/${requestCommentId}/replies`, body),
    pageId: changed.changes[0].page.id,
    pagePath: name,
    fileId: changed.insertedFiles[0].id,
    revisionId: (await made('GET', space)).revision,
    emailDomain: `${name}.example`,
    subdomain: name,
  };
}
