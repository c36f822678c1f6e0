import type { TestInstance } from './instance.ts';

/** A space of the instance's organization. */
export async function makeSpace({ call, orgPath }: TestInstance, title = 'Space'): Promise<string> {
  return (await call('POST', `${orgPath}/spaces`, { title })).body.id;
}

/** A site that shows a new space of each title, outside sections. */
export async function makeSite(service: TestInstance, titles: string[] = ['Guide'], body: object = {}) {
  const { call, orgPath } = service;
  const spaces: string[] = [];
  for (const title of titles) spaces.push(await makeSpace(service, title));
  const made = await call('POST', `${orgPath}/sites`, { title: 'Docs', spaces, ...body });
  const path = `${orgPath}/sites/${made.body.id}`;
  const siteSpaces = (await call('GET', `${path}/site-spaces`)).body.items.map((item: any) => item.id) as string[];
  return { id: made.body.id as string, site: made.body, path, spaces, siteSpaces };
}

/** A site with a section of each title, the first being the default. */
export async function makeSectionedSite(service: TestInstance, titles: string[]) {
  const made = await makeSite(service, []);
  const sections: string[] = [];
  for (const title of titles) {
    const spaceId = await makeSpace(service, title);
    sections.push((await service.call('POST', `${made.path}/sections`, { spaceId })).body.id);
  }
  return { ...made, sections };
}
