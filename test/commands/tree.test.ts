import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bin, makeHome, serve } from '../support/cli.ts';
import { writeDemoFiles } from '../support/demo-files.ts';
import { isLong } from '../support/long-form.ts';
import { type Demo, type DemoHome, makeDemo, serveHere } from '../support/shell.ts';
import { commandsOfTree, wordsOf } from '../support/tree.ts';

/** One call of one command on the demo: what it prints, and whether it leaves the data as they are. */
interface Row {
  /** The command line without the program's name; the command's own words come first. */
  run: string;
  /** What stands in its results, or in its remarks where it prints none. */
  says: string | RegExp;
  changes?: true;
  /** Its exit status where that is not 0. */
  exits?: number;
  /** It works on this machine alone, with no service. */
  local?: true;
}

const space = '--space handbook0001';
const site = '--site lumensite001';

const rows: Row[] = [
  { run: 'whoami', says: /^displayName\tLocal Admin$/m },
  { run: 'run commands.txt', says: /^title\tPump manual$/m, changes: true },
  { run: 'each changes.csv -- members edit {email} --role {role}', says: /^role\tcomment$/m, changes: true },
  { run: 'orgs list', says: /^Lumen Docs\tlumen\tbusiness\tfree_2024\t/ },
  { run: 'orgs create --title Labs -o json --columns title', says: '{"title":"Labs"}', changes: true },
  { run: 'orgs view', says: /^emailDomains\tlumen\.example$/m },
  { run: 'orgs edit --default-role read', says: /^defaultRole\tread$/m, changes: true },
  { run: 'orgs search valve', says: /^Install the pump\tinstall-the-pump\t/m },
  { run: 'orgs by-domain lumen.example', says: /^Lumen Docs\t/ },
  { run: 'orgs ping', says: 'Your last-seen time is up to date.', changes: true },
  { run: 'members list --limit 3 -o id', says: 'member000001\n' },
  { run: 'members view member000001', says: /^user\.displayName\tAda Almeida$/m },
  { run: 'members edit member000002 --role guest', says: /^role\tguest$/m, changes: true },
  { run: 'members remove member000002 member000003 --yes', says: 'Removed member000003.', changes: true },
  { run: 'members sync people.csv --yes', says: /^new@lumen\.example\tread\tinvited\t/m, changes: true },
  { run: 'members offboard member000002 --yes', says: 'is in offboarding-person2@lumen.example-', changes: true },
  {
    run: 'members restore --record gina.json',
    says: /^gina@lumen\.example\tteam Writers: member\tchanged/m,
    changes: true,
  },
  { run: 'members mark-sso member000002', says: /^sso\ttrue$/m, changes: true },
  { run: 'members spaces member000002 -o id', says: 'handbook0001' },
  { run: 'members teams member000001', says: /^Writers\towner\t12\twriters00001$/m },
  { run: 'teams list', says: /^Design\t12\t[^\t]+\tdesign000001\n/ },
  { run: 'teams create --title Reviewers --members member000001', says: /^members\t1$/m, changes: true },
  { run: 'teams view writers00001', says: /^title\tWriters$/m },
  { run: 'teams edit writers00001 --title Authors', says: /^title\tAuthors$/m, changes: true },
  { run: 'teams delete writers00001 design000001 --yes', says: '2 done.', changes: true },
  {
    run: 'teams members list writers00001',
    says: /^Ada Almeida\tperson1@lumen\.example\towner\tadmin\tmember000001$/m,
  },
  {
    run: 'teams members update writers00001 --add member000100 --remove member000002 --role member000003=owner',
    says: 'Changed the members of writers00001.',
    changes: true,
  },
  { run: 'teams members set writers00001 member000100 --role owner', says: 'is in the team', changes: true },
  { run: 'teams members remove writers00001 member000002 --yes', says: 'Removed member000002', changes: true },
  { run: 'invites send new@lumen.example --role read', says: /new@lumen\.example|invited/, changes: true },
  { run: 'invites accept invite000001', says: /./, changes: true },
  { run: 'invites links list -o id', says: 'invite000001' },
  { run: 'invites links create --role read', says: /read/, changes: true },
  { run: 'invites links view invite000001', says: /read/ },
  { run: 'invites links edit invite000001 --role comment', says: /comment/, changes: true },
  { run: 'invites links delete invite000001 --yes', says: 'invite000001', changes: true },
  { run: 'access list --member member000001', says: /^Ada Almeida\t.*\trole admin$/m },
  { run: 'access matrix --role admin', says: /^displayName\temail\trole\tHandbook\t/ },
  { run: 'access grants --limit 1 -o id', says: '' },
  { run: 'access review create --team-owners', says: /^person1@lumen\.example\taccess-review\/.*\.csv\t/m },
  { run: 'access review apply review', says: 'No changes. 0 decisions, 0 rows undecided.' },
  { run: 'access review verify review', says: /^findings\t0$/m, local: true },
  { run: 'access check member000001 handbook0001', says: /^reason\trole admin$/m },
  { run: 'sso providers list', says: /Lumen ID/ },
  { run: 'sso providers create --label Other', says: /Other/, changes: true },
  { run: 'sso providers view lumenid00001', says: /Lumen ID/ },
  { run: 'sso providers edit lumenid00001 --label Second', says: /Second/, changes: true },
  { run: 'sso providers delete lumenid00001 --yes', says: 'lumenid00001', changes: true },
  { run: 'sso setup --metadata metadata.xml --label Third', says: /Third/, changes: true },
  { run: 'sso logins', says: /Lumen ID/ },
  { run: 'spaces list', says: /^Handbook\tpublic\tlive\t2\t1\t[^\t]+\thandbook0001$/m },
  { run: 'spaces create --title Pumps --parent products0001', says: /^parent\tproducts0001$/m, changes: true },
  { run: 'spaces view handbook0001', says: /^changeRequestsDraft\t1$/m },
  { run: 'spaces edit handbook0001 --default-level none', says: /^defaultLevel\tnone$/m, changes: true },
  { run: 'spaces delete handbook0001 --yes', says: 'Deleted handbook0001.', changes: true },
  { run: 'spaces restore oldmanual001', says: /^title\tOld manual$/m, changes: true },
  { run: 'spaces duplicate handbook0001', says: /^title\tHandbook \(copy\)$/m, changes: true },
  {
    run: 'spaces move quickstart01 --parent products0001 --before releasenotes',
    says: /^parent\tproducts0001$/m,
    changes: true,
  },
  { run: 'spaces transfer playbook0001 --to nowhere00001 --dry-run', says: '"nowhere00001" not found', exits: 5 },
  { run: 'spaces links handbook0001 --status broken', says: /^broken\t\/pages\/manual000404\ttroubleshooting\t/ },
  { run: `spaces search valve ${space} -o id`, says: 'install00001\n' },
  { run: 'collections list', says: /^Archive\t\tread\tProducts\tarchive00001$/m },
  { run: 'collections create --title Pumps', says: /^title\tPumps$/m, changes: true },
  { run: 'collections view products0001', says: /^description\tOne space for each product$/m },
  { run: 'collections edit products0001 --title Goods', says: /^title\tGoods$/m, changes: true },
  { run: 'collections delete products0001 --yes', says: 'Deleted products0001.', changes: true },
  { run: 'collections spaces products0001 -o id', says: 'apiguides001\nreleasenotes\n' },
  { run: 'collections move archive00001 --root', says: /^parent\t$/m, changes: true },
  { run: 'collections transfer archive00001 --to nowhere00001 --dry-run', says: '"nowhere00001" not found', exits: 5 },
  { run: `content view ${space}`, says: /^pages\t10$/m },
  {
    run: `content import "data:text/markdown,# Winter" --source markdown ${space}`,
    says: /^importedResources\t1$/m,
    changes: true,
  },
  { run: `content push docs --new Docs --adopt ${space} --dry-run`, says: /./ },
  { run: `content status docs ${space}`, says: /^push\tadd\t/m },
  { run: `content pdf install00001 --out install.pdf ${space}`, says: 'Wrote install.pdf' },
  { run: 'urls snapshot docs', says: /^Wrote 1 published address into urls\.json\.$/m, local: true },
  { run: 'urls check docs', says: '1 page checked: nothing is wrong, 1 published address.', local: true },
  {
    run: 'replace pump heater docs --dry-run',
    says: /^Would replace \d+ places? in \d+ files? of \d+\.$/m,
    local: true,
  },
  { run: 'content report docs -o id', says: /^docs\/README\.md$/m, local: true },
  { run: 'links check docs', says: /pages? checked: nothing is wrong, \d+ links?\.$/m, local: true },
  { run: 'content check docs --fail-on none', says: /checked/, local: true },
  { run: 'sites export docs --out exported', says: /^Wrote \d+ pages? to exported: /, local: true },
  { run: `content pull pulled ${space}`, says: /^pages\t10$/m, changes: true },
  { run: `content pages list ${space}`, says: /^Unpack\tinstall-the-pump\/unpack\tdocument\t/m },
  {
    run: `content pages view install00001 ${space} --format markdown --cr 1`,
    says: /^markdown\tClose the valve first/m,
  },
  { run: `content pages links welcome00001 ${space}`, says: /^ok\tglossary\twelcome\t1\treference$/m },
  { run: `content files list ${space}`, says: /^pump\.png\timage\/png\t\d+\t16 x 16\tpumpphoto001$/m },
  { run: `content files view pumpphoto001 ${space}`, says: /^downloadURL\thttp.*\/files\/pumpphoto001$/m },
  { run: `content files backlinks pumpphoto001 ${space} -o id`, says: 'unpack000001\n' },
  { run: `cr list ${space}`, says: /^1\tExplain the new pump\topen\tAda Almeida\t1\t/m },
  { run: `cr create --subject New --open ${space}`, says: /^status\topen$/m, changes: true },
  { run: `cr view 1 ${space}`, says: /^id\tpumpchange01$/m },
  { run: `cr edit 1 --subject Other ${space}`, says: /^subject\tOther$/m, changes: true },
  { run: `cr merge 1 ${space}`, says: /^result\tmerge$/m, changes: true },
  { run: `cr update 2 ${space}`, says: /^result\tupdate$/m, changes: true },
  { run: `cr pdf 1 --page install00001 --out page.pdf ${space}`, says: 'Wrote page.pdf' },
  { run: `cr open 2 ${space}`, says: /^status\topen$/m, changes: true },
  { run: `cr archive 2 ${space}`, says: /^status\tarchived$/m, changes: true },
  { run: `cr diff 1 --stat ${space}`, says: /the-new-pump/ },
  { run: `cr links 1 --status broken ${space}`, says: /^broken\t\/pages\/manual000404\t/ },
  {
    run: `comments list ${space} --status open`,
    says: /^Björn Almeida\topen\tWhich valve is meant\?\tInstall the pump\t1\t/,
  },
  { run: `comments create --body Thanks ${space}`, says: /^body\.markdown\tThanks$/m, changes: true },
  { run: `comments view comment00003 --cr 1 ${space}`, says: /^body\.markdown\tWhich light\?$/m },
  { run: `comments edit comment00001 --react 🎉 --unreact 👍 ${space}`, says: /^reactions\t.*🎉 1/m, changes: true },
  { run: `comments resolve comment00001 ${space}`, says: /^status\tresolved$/m, changes: true },
  { run: `comments reopen comment00002 ${space}`, says: /^status\topen$/m, changes: true },
  { run: `comments delete comment00001 ${space} --yes`, says: 'Deleted comment00001.', changes: true },
  { run: `comments replies list comment00001 ${space}`, says: /^Chiara Almeida\tThe \*\*inlet\*\* valve\.\t/ },
  { run: `comments replies create comment00001 --body Yes ${space}`, says: /^body\.markdown\tYes$/m, changes: true },
  {
    run: `comments replies view comment00003 reply0000002 --cr 1 ${space}`,
    says: /^body\.markdown\tThe green one\.$/m,
  },
  {
    run: `comments replies edit comment00001 reply0000001 --react 👍 ${space}`,
    says: /^reactions\t👍 1$/m,
    changes: true,
  },
  {
    run: `comments replies delete comment00001 reply0000001 ${space} --yes`,
    says: 'Deleted reply0000001.',
    changes: true,
  },
  { run: 'fields list', says: /^audience\tAudience\tselect:multi\toperators,fitters,partners\t/m },
  {
    run: 'fields create --name stage --type select:single --options draft,final',
    says: /^options\tdraft,final$/m,
    changes: true,
  },
  { run: 'fields view audience', says: /^type\tselect:multi$/m },
  { run: 'fields edit owner --title Boss', says: /^title\tBoss$/m, changes: true },
  { run: 'fields delete owner --yes', says: 'Deleted owner.', changes: true },
  { run: `fields values view ${space}`, says: /^audience\tfitters\tAudience\tselect:multi$/m },
  {
    run: `fields values set reviewed=yes audience=operators,partners owner= ${space}`,
    says: 'Set reviewed, audience, owner.',
    changes: true,
  },
  { run: 'search "inlet valve"', says: /^First run\t/m },
  { run: 'sites list', says: /^Lumen documentation\ttrue\tpublic\tultimate\t4\t.*\tlumensite001$/m },
  { run: 'sites create --title New --spaces handbook0001,apiguides001', says: /^siteSpaces\t2$/m, changes: true },
  { run: 'sites view lumensite001', says: /^features\tmultivariant-site,pdf-export,sections$/m },
  {
    run: 'sites edit lumensite001 --proxy lumen.example/docs',
    says: /^proxy\.origin\tlumen\.example\/docs$/m,
    changes: true,
  },
  { run: 'sites delete intranet0001 --yes', says: 'Deleted intranet0001.', changes: true },
  { run: 'sites published lumensite001', says: /^customizations\.site\.styling\.theme\tclean$/m },
  { run: 'sites publish intranet0001', says: /^published\ttrue$/m, changes: true },
  { run: 'sites unpublish lumensite001 --yes', says: /^published\tfalse$/m, changes: true },
  {
    run: 'sites structure lumensite001',
    says: /^Learn\tsection group\t\t\t\tlearngroup01\nGuides\tsection\tguides\ttrue\t\tguides000001\nHandbook\tspace\t/,
  },
  { run: 'sites share-links list --site intranet0001', says: /^Partners\ttrue\t.*\tsharelink001$/m },
  { run: 'sites share-links create --name Press --site intranet0001', says: /^name\tPress$/m, changes: true },
  {
    run: 'sites share-links edit sharelink001 --no-active --site intranet0001',
    says: /^active\tfalse$/m,
    changes: true,
  },
  {
    run: 'sites share-links delete sharelink001 --site intranet0001 --yes',
    says: 'Deleted sharelink001.',
    changes: true,
  },
  { run: `sites customization view ${site} --jq .styling.theme`, says: 'clean\n' },
  {
    run: `sites customization set --set styling.theme=bold ${site} --jq .styling.theme`,
    says: 'bold\n',
    changes: true,
  },
  { run: `sites schema view ${site}`, says: /^properties\tplan,beta$/m },
  { run: `sites schema set schema.yaml ${site}`, says: /^properties\tage$/m, changes: true },
  { run: `sites sections list ${site}`, says: /^Guides\tguides\ttrue\t1\tLearn\t\tguides000001$/m },
  {
    run: `sites sections add playbook0001 --title Support ${site}`,
    says: /^spaces\tSupport playbook$/m,
    changes: true,
  },
  { run: `sites sections edit reference001 --clear icon --path api ${site}`, says: /^path\tapi$/m, changes: true },
  { run: `sites sections remove starthere001 ${site} --yes`, says: 'Removed starthere001.', changes: true },
  { run: `sites sections move reference001 --before guides000001 ${site}`, says: /^id\treference001$/m, changes: true },
  { run: `sites section-groups list ${site}`, says: /^Learn\tgraduation-cap\tGuides,Start here\tlearngroup01$/m },
  {
    run: `sites section-groups create --title Developers --sections reference001 ${site}`,
    says: /^sections\tReference$/m,
    changes: true,
  },
  { run: `sites section-groups edit learngroup01 --title More ${site}`, says: /^title\tMore$/m, changes: true },
  { run: `sites section-groups delete learngroup01 ${site} --yes`, says: 'Deleted learngroup01.', changes: true },
  {
    run: `sites section-groups move learngroup01 --after reference001 ${site}`,
    says: /^id\tlearngroup01$/m,
    changes: true,
  },
  {
    run: `sites section-groups add learngroup01 reference001 ${site}`,
    says: /^sections\tGuides,Start here,Reference$/m,
    changes: true,
  },
  {
    run: `sites section-groups remove learngroup01 starthere001 ${site}`,
    says: 'Removed starthere001 from the group.',
    changes: true,
  },
  { run: `sites spaces list ${site} --no-default -o id`, says: 'sitespace004\n' },
  {
    run: `sites spaces add playbook0001 --section reference001 ${site}`,
    says: /^section\treference001$/m,
    changes: true,
  },
  { run: `sites spaces edit sitespace004 --path changes ${site}`, says: /^path\tchanges$/m, changes: true },
  { run: `sites spaces remove sitespace004 ${site} --yes`, says: 'Removed sitespace004 from the site.', changes: true },
  { run: `sites spaces move sitespace004 --before sitespace002 ${site}`, says: /^id\tsitespace004$/m, changes: true },
  { run: 'openapi list', says: /^pumps\tcomplete\t/ },
  { run: 'openapi create petstore petstore.yaml', says: /^slug\tpetstore$/m, changes: true },
  { run: 'openapi view pumps', says: /^lastVersion\tpumpsv000002$/m },
  { run: 'openapi publish petstore.yaml --slug petstore --wait', says: /complete/, changes: true },
  { run: 'openapi validate petstore.yaml', says: /valid|petstore/, local: true },
  { run: 'openapi check --base HEAD', says: 'is not in a Git repository', exits: 2, local: true },
  { run: 'openapi diff petstore.yaml petstore.yaml', says: /^No changes|change/im, local: true },
  { run: 'openapi delete pumps --yes', says: 'Deleted pumps.', changes: true },
  { run: 'openapi download pumps --version pumpsv000001', says: '"version": "1.0.0"' },
  { run: 'openapi versions list pumps -o id', says: 'pumpsv000002\npumpsv000001\n' },
  { run: 'openapi versions view pumps pumpsv000001', says: /^id\tpumpsv000001$/m },
  { run: 'translations list', says: /^Handbook languages\ten,fr,de\t.*\ttranslate001$/m },
  { run: 'translations create --title API --languages en,ja', says: /^languages\ten,ja$/m, changes: true },
  { run: 'translations view translate001', says: /^title\tHandbook languages$/m },
  {
    run: 'translations edit translate001 --languages en,es',
    says: /^title\tHandbook languages\n[^]*^languages\ten,es$/m,
    changes: true,
  },
  { run: 'translations delete translate001 --yes', says: 'Deleted translate001.', changes: true },
  { run: 'api orgs/{org}/teams --paginate --jq length', says: '5\n' },
  { run: 'open space handbook0001 --print', says: /^http.*\/s\/handbook0001\n$/ },
  { run: 'doctor -q', says: /^role\tok\tadmin$/m, changes: true },
  { run: 'auth status', says: /^local\ttrue\tworks\t/m, local: true },
  { run: 'auth logout', says: 'has no token', local: true },
  { run: 'profiles list', says: /^local\t/m, local: true },
  { run: 'profiles view local', says: /embedded:/, local: true },
  { run: 'profiles create other --url https://docs.example', says: /other/, local: true },
  { run: 'profiles use local', says: /local/, local: true },
  { run: 'profiles allow handbook', says: /^Allowed .* to use the profile "local"/, local: true },
  { run: 'profiles deny handbook', says: /^Denied /, local: true },
  { run: 'profiles rename local mine', says: /mine/, local: true },
  { run: 'profiles delete local --yes', says: /local/, local: true },
  { run: 'config list', says: /^url\tembedded:/m, local: true },
  { run: 'config get profile', says: /local/, local: true },
  { run: 'config set space handbook0001', says: /handbook0001/, local: true },
  { run: 'config unset org', says: /org/, local: true },
  { run: 'config path', says: /config\.json/, local: true },
  { run: 'alias set guests -- members list --role guest', says: /guests/, local: true },
  { run: `wait cr 1 --until open ${space}`, says: /^state\topen$/m },
  { run: 'alias list', says: /^$/, local: true },
  { run: 'alias remove nothing', says: '', exits: 5, local: true },
  { run: 'init --profile second --db second.db', says: /^profile\tsecond$/m, local: true },
  { run: 'serve token create', says: /^token\t/m, local: true },
  { run: 'serve token list', says: /^$/, local: true },
  { run: 'serve backup copy.db', says: /copy\.db/, local: true },
  { run: 'serve copy --from data/local.db --to copied.db', says: /^user\t/m, local: true },
  { run: 'serve check', says: /\tok\t/, local: true },
  { run: 'completion bash', says: /complete /, local: true },
  { run: 'completion zsh', says: /#compdef/, local: true },
  { run: 'completion fish', says: /complete /, local: true },
  { run: 'completion powershell', says: /Register-ArgumentCompleter/, local: true },
  { run: 'export exported --only teams', says: /^teams\t5$/m },
  { run: 'drift organization --only teams/writers', says: 'No changes: the organization matches its files.' },
  { run: 'plan organization', says: 'No changes: the organization matches its files.' },
  { run: 'apply organization --yes', says: 'No changes: the organization matches its files.' },
  { run: 'history', says: /^1\t2026-01-05T09:00:00\.000Z\tdone\t1\t/m, local: true },
  { run: 'history list --filter result=done', says: /^1\t2026-01-05T09:00:00\.000Z\tdone\t1\t/m, local: true },
  { run: 'history view 1', says: 'title: API -> API guides', local: true },
  { run: 'undo 1 --yes', says: /^done\tPATCH\t\/v1\/spaces\/apiguides001\t/m, local: true },
  { run: 'help exit-codes', says: /^Exit status/, local: true },
];

/**
 * Commands that run until a signal, or need a token that was made before: they share a test of their own. Those that copy
 * an organization take seconds for the demo: `twin/` has a smaller one.
 */
const elsewhere = new Set([
  'twin create',
  'twin list',
  'twin remove',
  'rehearse',
  'serve',
  'preview',
  'serve token revoke',
  'auth login',
  'auth token',
]);

let demo: Demo;
beforeAll(async () => {
  demo = await makeDemo();
});
afterAll(() => demo.remove());

const wordsIn = (line: string) => {
  const words = wordsOf(line);
  if (!words) throw new Error(`Not a plain line: ${line}`);
  return words;
};

async function runOn(row: Row, home: DemoHome) {
  await writeDemoFiles(home.dir);
  const { exitCode, stdout, stderr } = await home.run(wordsIn(row.run));
  const expected = row.exits ?? 0;
  expect({ exitCode, stderr: exitCode === expected ? '' : stderr }).toEqual({ exitCode: expected, stderr: '' });
  expect(stdout || stderr).toMatch(row.says);
  return stdout;
}

const commands = await commandsOfTree();
const nameOfRow = ({ run }: Row) =>
  commands
    .map(({ path }) => path)
    .filter((path) => run === path || run.startsWith(`${path} `))
    .toSorted((a, b) => b.length - a.length)[0];

test('every command has a row, and every row a command', () => {
  const namesInRows = new Set(rows.map(nameOfRow));
  const missing = commands.map(({ path }) => path).filter((path) => !namesInRows.has(path) && !elsewhere.has(path));
  expect(missing).toEqual([]);
  expect(rows.filter((row) => nameOfRow(row) === undefined)).toEqual([]);
});

describe(isLong ? 'embedded, with the same results over HTTP' : 'embedded', () => {
  for (const row of rows.filter(({ local }) => !local)) {
    test(row.run, async () => {
      const home = await demo.copy();
      const embedded = await runOn(row, home);
      if (!isLong) return;
      const other = await demo.copy();
      const served = await serveHere(other.database);
      Object.assign(other.env, served.env);
      const overHttp = await runOn(row, other).finally(() => served.stop());
      // The data are the same, so the results are too, but for the address of the service and the profile with it.
      const address = new RegExp(`${served.env.DOCSCTL_URL}|embedded:${home.database}`, 'g');
      const plain = (text: string) => text.replace(address, 'http://localhost:4000').replace(/^profile\t.*\n/m, '');
      if (!row.changes) expect(plain(overHttp)).toBe(plain(embedded));
    });
  }
});

describe('on this machine', () => {
  for (const row of rows.filter(({ local }) => local)) {
    test(row.run, async () => {
      await runOn(row, await demo.copy());
    });
  }
});

/** Through the real binary, where streams, start and end are those of the system. */
const started = [
  'whoami',
  'members list --limit 3 -o id',
  'collections list',
  `content pages list ${space}`,
  `cr merge 1 ${space}`,
  `comments list ${space} --status open`,
  'fields view audience',
  'sites view lumensite001',
  'openapi versions list pumps -o id',
  'search "inlet valve"',
  'api orgs/{org}/teams --paginate --jq length',
  'doctor -q',
];

describe('the binary', () => {
  for (const line of started) {
    test(`docsctl ${line}`, async () => {
      const row = rows.find(({ run }) => run === line)!;
      const { dir, env } = await demo.copy();
      const result = await execa(process.execPath, [bin, ...wordsIn(line)], {
        cwd: dir,
        env,
        extendEnv: false,
        reject: false,
        stripFinalNewline: false,
        stdin: 'ignore',
      });

      expect(result).toMatchObject({ exitCode: 0, stderr: '' });
      expect(result.stdout).toMatch(row.says);
    });
  }

  test('docsctl serve, auth login, auth token, serve token revoke', async () => {
    const home = await makeHome();
    const served = await serve(home);
    const database = ['--db', join(home.dir, 'served.db')];
    const made = await home.docsctl('serve', 'token', 'create', '--label', 'laptop', '--json', ...database);

    const login = await home.docsctl('auth', 'login', '--with-token', '--url', served.url, '--profile', 'here', {
      input: made.json.token,
      stdin: 'pipe',
    });
    const token = await home.docsctl('auth', 'token');
    const before = await home.docsctl('whoami');
    const revoked = await home.docsctl('serve', 'token', 'revoke', made.json.id, ...database);
    const after = await home.docsctl('whoami');
    const status = await served.stop();
    await rm(home.dir, { recursive: true, force: true });

    expect(login.exitCode).toBe(0);
    expect(token.stdout).toBe(`${made.json.token}\n`);
    expect([before.exitCode, revoked.exitCode, after.exitCode, status]).toEqual([0, 0, 3, 0]);
  });
});
