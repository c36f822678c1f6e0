import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fixIds } from './fixed-ids.ts';
import { makeFolder, Service } from './service.ts';
import { SmallOrganization } from './small-organization.ts';

interface Template {
  file: string;
  folder: string;
  organization: SmallOrganization;
  now: number;
}

let template: Promise<Template> | undefined;

async function makeTemplate(): Promise<Template> {
  const folder = await makeFolder('organization');
  const file = join(folder, 'template.db');
  const service = await Service.open(file);
  const organization = await SmallOrganization.create(service);
  await service.close();
  return { file, folder, organization, now: service.clock.now };
}

/** A service of its own with a small organization. */
export interface Home {
  service: Service;
  organization: SmallOrganization;
  folder: string;
  close(): Promise<void>;
}

export async function openHome(): Promise<Home> {
  const { file, organization, now } = await (template ??= makeTemplate());
  const folder = await makeFolder('world');
  const database = join(folder, 'service.db');
  mkdirSync(join(folder, 'files'));
  copyFileSync(file, database);
  const service = await Service.open(database, now);
  fixIds(1);
  return {
    service,
    organization: organization.copy(service),
    folder: join(folder, 'files'),
    async close() {
      await service.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function endHomes(): Promise<void> {
  if (template) rmSync((await template).folder, { recursive: true, force: true });
}
