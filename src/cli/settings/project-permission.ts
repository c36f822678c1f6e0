import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isObject } from '../../shared/is-object.ts';
import { CommandError, exit } from '../program/failure.ts';
import type { Io } from '../program/io.ts';
import { broken, readJson, updateFile } from './file.ts';
import { configDir } from './paths.ts';

/** The user's answers by folder, and by the profile that the project file there names. */
type Permissions = Record<string, Record<string, boolean>>;

const permissionsFile = () => join(configDir(), 'project-permissions.json');

/** A project file names a profile that the user has not allowed it to choose. */
export class ProfileNotAllowed extends CommandError {
  constructor(file: string, profile: string, isDenied: boolean) {
    super(
      `${file} chooses the profile "${profile}", which ${isDenied ? 'was denied' : 'has not been allowed'} for this folder.`,
      {
        exitCode: exit.unauthenticated,
        code: 'profile-not-allowed',
        hint: 'If you trust what is in the folder, run "docsctl profiles allow"; or name a profile with --profile.',
      },
    );
  }
}

function readPermissions(): Permissions {
  const file = permissionsFile();
  const permissions: Permissions = {};
  for (const [folder, answers] of Object.entries(readJson(file) ?? {})) {
    const isValid = isObject(answers) && Object.values(answers).every((answer) => typeof answer === 'boolean');
    if (!isValid) throw broken(file, `the entry "${folder}" does not say true or false for each profile`);
    // A profile may be called "constructor".
    permissions[folder] = Object.assign(Object.create(null), answers);
  }
  return permissions;
}

// A link to the file is not followed: an untrusted folder could hold a link to a file that is allowed.
const folderOf = (file: string) => realpathSync(dirname(file));

/** Whether a project file may choose a profile; undefined if the user has not answered. */
export const permissionOf = (file: string, profile: string): boolean | undefined =>
  readPermissions()[folderOf(file)]?.[profile];

/** The folders whose project files may choose a profile. */
export const foldersAllowed = (profile: string): string[] =>
  Object.entries(readPermissions())
    .filter(([, answers]) => answers[profile])
    .map(([folder]) => folder);

/** Keeps the user's answer for the folder of a project file. */
export const setPermission = (file: string, profile: string, isAllowed: boolean): Promise<void> =>
  change((permissions) => {
    (permissions[folderOf(file)] ??= Object.create(null))[profile] = isAllowed;
  });

/** Withdraws every permission of a folder; its project file may be gone by now, or name another profile. */
export const denyFolder = (folder: string, profile: string | undefined): Promise<void> =>
  change((permissions) => {
    if (profile === undefined) delete permissions[folder];
    else permissions[folder] = { [profile]: false };
  });

/** Whether the user has answered for a folder. */
export const hasAnswers = (folder: string): boolean => readPermissions()[folder] !== undefined;

/** Forgets the answers for a deleted profile: another one may get its name. */
export async function forgetPermissions(profile: string): Promise<void> {
  if (!Object.values(readPermissions()).some((answers) => profile in answers)) return;
  await change((permissions) => {
    for (const [folder, answers] of Object.entries(permissions)) {
      delete answers[profile];
      if (Object.keys(answers).length === 0) delete permissions[folder];
    }
  });
}

/** Asks whether a project file may choose a profile, and keeps the answer, so that the user is asked once. */
export async function askPermission(
  context: { io: Io; signal: AbortSignal },
  { file, profile, url }: { file: string; profile: string; url: string },
): Promise<boolean> {
  const { openPrompt } = await import('../prompt/open-prompt.ts');
  const prompt = await openPrompt(context);
  const isAllowed = await prompt.confirm({
    message: `Allow ${file} to use the profile "${profile}" (${url})?`,
    start: false,
  });
  await setPermission(file, profile, isAllowed);
  return isAllowed;
}

const change = (work: (permissions: Permissions) => void): Promise<void> =>
  updateFile(permissionsFile(), readPermissions, work);
