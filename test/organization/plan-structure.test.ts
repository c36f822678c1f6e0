import { expect, test } from 'vitest';
import { planned } from '../support/planned.ts';

// What the plan of a site with another structure shows and sends. apply-structure.test.ts tests that the service accepts it.

type Entry = Record<string, unknown>;

const section = (name: string, ...spaces: (string | Entry)[]): Entry => ({
  section: name,
  spaces: spaces.map((space) => (typeof space === 'string' ? { space } : space)),
});
const group = (title: string, ...sections: Entry[]): Entry => ({ group: title, sections });

const spaces = Object.fromEntries(
  ['a', 'b', 'c', 'd', 'e', 'f', 'new'].map((name) => [`spaces/${name}/space.yaml`, `title: ${name}\n`]),
);
const filesWith = (structure: readonly Entry[]) => ({
  ...spaces,
  'sites/site.yaml': `title: Site\nstructure: ${JSON.stringify(structure)}\n`,
});

/** The changed fields, then the requests without the path of the site. IDs are `{section/<path>}`, `{space/<name>}` ... */
function textsOf(before: readonly Entry[], after: readonly Entry[]): string[] {
  const { changes, steps, problems } = planned(filesWith(before), filesWith(after), { folders: ['spaces', 'sites'] });
  const fields = changes.flatMap((change) =>
    change.fields.map(({ field, before: old, after: value }) => `${field}: ${String(old)} -> ${String(value)}`),
  );
  const requests = steps.map(({ endpoint, params, body, makes = {} }) => {
    const ids = Object.values(params).filter((id) => id !== 'org' && id !== '{site/site}');
    const words = [endpoint, ...ids, ...(body === undefined ? [] : [JSON.stringify(body)])];
    const made = Object.entries(makes).map(([name, at]) => `{${name}} = ${at}`);
    return [words.join(' '), ...made].join(', ').replaceAll('/site/', '/');
  });
  return [...problems.map(({ message }) => message), ...fields, ...requests];
}

interface Case {
  what: string;
  before: Entry[];
  after: Entry[];
  expected: string[];
}

const cases: Case[] = [
  {
    what: 'gets sections',
    before: [],
    after: [
      { ...section('one', { space: 'a', path: 'first' }, 'b'), title: 'One', icon: 'book', description: 'All' },
      section('two', 'c'),
    ],
    expected: [
      'structure.one: undefined -> section "One"',
      'structure.two: undefined -> section "two"',
      'structure.one.a: undefined -> a',
      'structure.one.b: undefined -> b',
      'structure.two.c: undefined -> c',
      'siteSections.add {"spaceId":"{space/a}","title":"One","icon":"book"}, {section/one} = id, {site space/one/a} = siteSpaces.0.id',
      'siteSections.edit {section/one} {"title":"One","icon":"book","description":"All","path":"one"}',
      'siteSections.add {"spaceId":"{space/c}","title":"two","icon":null}, {section/two} = id, {site space/two/c} = siteSpaces.0.id',
      'siteSections.edit {section/two} {"path":"two"}',
      'siteSpaces.edit {site space/one/a} {"path":"first"}',
      'siteSpaces.add {"spaceId":"{space/b}","sectionId":"{section/one}"}, {site space/one/b} = id',
    ],
  },
  {
    what: 'changes settings of a section',
    before: [{ ...section('one', 'a'), title: 'One' }, section('two', 'b')],
    after: [{ ...section('one', 'a'), title: 'First', description: 'All' }, section('two', 'b')],
    expected: [
      'structure.one.title: One -> First',
      'structure.one.description: undefined -> All',
      'siteSections.edit {section/one} {"title":"First","description":"All"}',
    ],
  },
  {
    what: 'gets its first section with its spaces in it',
    before: [
      { space: 'a', path: 'pa' },
      { space: 'b', path: 'pb' },
    ],
    after: [section('one', 'a', 'b')],
    expected: [
      'structure.one: undefined -> section "one"',
      'siteSections.add {"spaceId":"{space/a}","title":"Section","icon":null}, {section/} = id, {site space//a} = siteSpaces.0.id',
      'siteSections.edit {section/} {"path":"docsctl-"}',
      'sites.structure, {section/one} = structure.0.id',
      'siteSections.edit {section/one} {"path":"one"}',
      'siteSections.remove {section/}',
    ],
  },
  {
    what: 'gets its first sections, one of which has most of its spaces',
    before: [
      { space: 'a', path: 'pa', default: true },
      { space: 'b', path: 'pb' },
    ],
    after: [
      section('one', 'c', 'd'),
      group('All', { ...section('two', { space: 'b', default: true }, 'a'), title: 'Two', default: true }),
    ],
    expected: [
      'structure.one: undefined -> section "one"',
      'structure.two: undefined -> section "Two"',
      'structure.two.title: undefined -> Two',
      'structure.one.d: undefined -> d',
      'structure.All: undefined -> section group',
      'structure.two.group: null -> All',
      'structure.two.order: undefined -> b first',
      'structure.two.b.default: false -> true',
      'siteSections.add {"spaceId":"{space/c}","title":"one","icon":null}, {section/one} = id, {site space/one/c} = siteSpaces.0.id',
      'siteSections.edit {section/one} {"path":"docsctl-one"}',
      'sites.structure, {section/two} = structure.0.id',
      'siteSections.edit {section/two} {"path":"two"}',
      'siteSections.edit {section/one} {"path":"one"}',
      'siteSections.edit {section/two} {"title":"Two"}',
      'siteSpaces.add {"spaceId":"{space/d}","sectionId":"{section/one}"}, {site space/one/d} = id',
      'sectionGroups.create {"title":"All","icon":null}, {group/All} = id',
      'sectionGroups.add {group/All} {"sectionId":"{section/two}"}',
      'sites.sort {"item":{"type":"site-space","id":"{site space//b}"},"position":{"before":{"type":"site-space","id":"{site space//a}"}}}',
      'siteSections.edit {section/two} {"defaultSiteSpace":"{site space//b}"}',
    ],
  },
  {
    what: 'gets its first sections with their defaults',
    before: [{ space: 'a', path: 'pa', default: true }],
    after: [
      { ...section('one', { space: 'a', path: 'pa', default: true }), default: true },
      section('two', { space: 'b', default: true }),
    ],
    expected: [
      'structure.two: undefined -> section "two"',
      'structure.one: undefined -> section "one"',
      'siteSections.add {"spaceId":"{space/b}","title":"two","icon":null}, {section/two} = id, {site space/two/b} = siteSpaces.0.id',
      'siteSections.edit {section/two} {"path":"docsctl-two"}',
      'sites.structure, {section/one} = structure.0.id',
      'siteSections.edit {section/one} {"path":"one"}',
      'siteSections.edit {section/two} {"path":"two"}',
    ],
  },
  {
    what: 'has its only section outside of groups',
    before: [group('All', section('one', 'a'))],
    after: [section('one', 'a')],
    expected: [
      'structure.one.group: All -> null',
      'structure.All: section group -> undefined',
      'sectionGroups.remove {group/All} {section/one}',
      'sectionGroups.delete {group/All}',
    ],
  },
  {
    what: 'gets the same path in two sections',
    before: [section('one', 'a')],
    after: [section('one', 'a', { space: 'b', path: 'same' }), section('two', 'c', { space: 'd', path: 'same' })],
    expected: [
      'structure.two: undefined -> section "two"',
      'structure.one.b: undefined -> b',
      'structure.two.c: undefined -> c',
      'structure.two.d: undefined -> d',
      'siteSections.add {"spaceId":"{space/c}","title":"two","icon":null}, {section/two} = id, {site space/two/c} = siteSpaces.0.id',
      'siteSections.edit {section/two} {"path":"two"}',
      'siteSpaces.add {"spaceId":"{space/b}","sectionId":"{section/one}"}, {site space/one/b} = id',
      'siteSpaces.edit {site space/one/b} {"path":"same"}',
      'siteSpaces.add {"spaceId":"{space/d}","sectionId":"{section/two}"}, {site space/two/d} = id',
      'siteSpaces.edit {site space/two/d} {"path":"same"}',
    ],
  },
  {
    what: 'gets its first sections without its spaces',
    before: [{ space: 'a', path: 'pa' }],
    after: [{ ...section('one', 'b'), title: 'One', icon: 'book' }],
    expected: [
      'structure.one: undefined -> section "One"',
      'structure.a: a -> undefined',
      'siteSections.add {"spaceId":"{space/b}","title":"One","icon":"book"}, {section/one} = id, {site space/one/b} = siteSpaces.0.id',
      'siteSections.edit {section/one} {"path":"docsctl-one"}',
      'sites.structure, {section/} = structure.0.id',
      'siteSections.edit {section/one} {"path":"one"}',
      'siteSections.remove {section/}',
    ],
  },
  {
    what: 'loses all sections but keeps spaces',
    before: [
      group('All', section('one', { space: 'a', path: 'same' }, { space: 'b', path: 'other' })),
      section('two', { space: 'c', path: 'same' }),
    ],
    after: [{ space: 'a' }, { space: 'c' }, { space: 'b', path: 'new' }],
    expected: [
      'structure: sections -> spaces without sections',
      'structure.a: undefined -> a',
      'structure.c: undefined -> c',
      'structure.b: undefined -> b',
      'siteSections.remove {section/one}',
      'siteSections.remove {section/two}',
      'sectionGroups.delete {group/All}',
      'siteSpaces.add {"spaceId":"{space/a}"}, {site space//a} = id',
      'siteSpaces.edit {site space//a} {"path":"same"}',
      'siteSpaces.add {"spaceId":"{space/c}"}, {site space//c} = id',
      'siteSpaces.add {"spaceId":"{space/b}"}, {site space//b} = id',
      'siteSpaces.edit {site space//b} {"path":"new"}',
    ],
  },
  {
    what: 'loses everything',
    before: [group('All', section('one', 'a')), section('two', 'b')],
    after: [],
    expected: [
      'structure.one: section "one" -> undefined',
      'structure.two: section "two" -> undefined',
      'structure.All: section group -> undefined',
      'siteSections.remove {section/one}',
      'siteSections.remove {section/two}',
      'sectionGroups.delete {group/All}',
    ],
  },
  {
    what: 'loses its spaces',
    before: [{ space: 'a' }, { space: 'b' }],
    after: [{ space: 'b' }],
    expected: ['structure.a: a -> undefined', 'siteSpaces.remove {site space//a}'],
  },
  {
    what: 'gets and loses groups',
    before: [group('Old', section('one', 'a'), section('two', 'b')), section('three', 'c')],
    after: [{ ...group('New', section('one', 'a')), icon: 'book' }, section('two', 'b'), section('three', 'c')],
    expected: [
      'structure.New: undefined -> section group',
      'structure.one.group: Old -> New',
      'structure.two.group: Old -> null',
      'structure.order: undefined -> New first',
      'structure.Old: section group -> undefined',
      'sectionGroups.create {"title":"New","icon":"book"}, {group/New} = id',
      'sectionGroups.add {group/New} {"sectionId":"{section/one}"}',
      'sectionGroups.remove {group/Old} {section/two}',
      'sites.sort {"item":{"type":"site-section-group","id":"{group/New}"},"position":{"before":{"type":"site-section","id":"{section/three}"}}}',
      'sites.sort {"item":{"type":"site-section","id":"{section/two}"},"position":{"after":{"type":"site-section-group","id":"{group/New}"}}}',
      'sectionGroups.delete {group/Old}',
    ],
  },
  {
    what: 'changes the icon of a group',
    before: [
      { ...group('Other', section('three', 'c')), icon: 'book' },
      { ...group('All', section('one', 'a')), icon: 'book' },
      { ...group('Rest', section('two', 'b')), icon: 'book' },
    ],
    after: [
      { ...group('Other', section('three', 'c')), icon: 'book' },
      { ...group('All', section('one', 'a')), icon: 'rocket' },
      group('Rest', section('two', 'b')),
    ],
    expected: ['structure.All.icon: book -> rocket', 'sectionGroups.edit {group/All} {"icon":"rocket"}'],
  },
  {
    what: 'changes the order of groups and sections',
    before: [section('one', 'a'), group('All', section('two', 'b'), section('three', 'c')), section('four', 'd')],
    after: [section('four', 'd'), section('one', 'a'), group('All', section('three', 'c'), section('two', 'b'))],
    expected: [
      'structure.order: undefined -> four first',
      'structure.All.order: undefined -> three first',
      'sites.sort {"item":{"type":"site-section","id":"{section/four}"},"position":{"before":{"type":"site-section","id":"{section/one}"}}}',
      'sites.sort {"item":{"type":"site-section","id":"{section/three}"},"position":{"before":{"type":"site-section","id":"{section/two}"}}}',
    ],
  },
  {
    what: 'gets new ones first',
    before: [section('one', 'a'), group('All', section('two', 'b'))],
    after: [
      group('New', section('three', 'c')),
      section('four', 'd', 'c'),
      group('All', section('two', 'b')),
      section('one', 'a'),
    ],
    expected: [
      'structure.three: undefined -> section "three"',
      'structure.four: undefined -> section "four"',
      'structure.three.c: undefined -> c',
      'structure.four.d: undefined -> d',
      'structure.four.c: undefined -> c',
      'structure.New: undefined -> section group',
      'structure.three.group: null -> New',
      'structure.order: undefined -> New first',
      'structure.order: undefined -> four after New',
      'structure.order: undefined -> All after four',
      'siteSections.add {"spaceId":"{space/c}","title":"three","icon":null}, {section/three} = id, {site space/three/c} = siteSpaces.0.id',
      'siteSections.edit {section/three} {"path":"three"}',
      'siteSections.add {"spaceId":"{space/d}","title":"four","icon":null}, {section/four} = id, {site space/four/d} = siteSpaces.0.id',
      'siteSections.edit {section/four} {"path":"four"}',
      'siteSpaces.add {"spaceId":"{space/c}","sectionId":"{section/four}"}, {site space/four/c} = id',
      'sectionGroups.create {"title":"New","icon":null}, {group/New} = id',
      'sectionGroups.add {group/New} {"sectionId":"{section/three}"}',
      'sites.sort {"item":{"type":"site-section-group","id":"{group/New}"},"position":{"before":{"type":"site-section","id":"{section/one}"}}}',
      'sites.sort {"item":{"type":"site-section","id":"{section/four}"},"position":{"after":{"type":"site-section-group","id":"{group/New}"}}}',
      'sites.sort {"item":{"type":"site-section-group","id":"{group/All}"},"position":{"after":{"type":"site-section","id":"{section/four}"}}}',
    ],
  },
  {
    what: 'gets a section between others',
    before: [section('one', 'a'), section('two', 'b')],
    after: [section('one', 'a'), section('new', 'c'), section('two', 'b')],
    expected: [
      'structure.new: undefined -> section "new"',
      'structure.new.c: undefined -> c',
      'structure.order: undefined -> new after one',
      'siteSections.add {"spaceId":"{space/c}","title":"new","icon":null}, {section/new} = id, {site space/new/c} = siteSpaces.0.id',
      'siteSections.edit {section/new} {"path":"new"}',
      'sites.sort {"item":{"type":"site-section","id":"{section/new}"},"position":{"after":{"type":"site-section","id":"{section/one}"}}}',
    ],
  },
  {
    what: 'changes the order of spaces',
    before: [section('one', 'a', 'b', { space: 'c', path: 'x' }, { space: 'c', path: 'y' }), section('two', 'a')],
    after: [section('one', { space: 'c', path: 'x' }, 'new', 'b', 'a', { space: 'c', path: 'y' }), section('two', 'a')],
    expected: [
      'structure.one.new: undefined -> new',
      'structure.one.order: undefined -> c first',
      'structure.one.order: undefined -> new after c',
      'structure.one.order: undefined -> b after new',
      'siteSpaces.add {"spaceId":"{space/new}","sectionId":"{section/one}"}, {site space/one/new} = id',
      'sites.sort {"item":{"type":"site-space","id":"{site space/one/c}"},"position":{"before":{"type":"site-space","id":"{site space/one/a}"}}}',
      'sites.sort {"item":{"type":"site-space","id":"{site space/one/new}"},"position":{"after":{"type":"site-space","id":"{site space/one/c}"}}}',
      'sites.sort {"item":{"type":"site-space","id":"{site space/one/b}"},"position":{"after":{"type":"site-space","id":"{site space/one/new}"}}}',
    ],
  },
  {
    what: 'gets a second copy of a space to the front',
    before: [section('one', { space: 'a', path: 'x' }, 'b', { space: 'a', path: 'y' })],
    after: [section('one', 'b', { space: 'a', path: 'x' }, { space: 'a', path: 'y' })],
    expected: [
      'structure.one.order: undefined -> b first',
      'sites.sort {"item":{"type":"site-space","id":"{site space/one/b}"},"position":{"before":{"type":"site-space","id":"{site space/one/a}"}}}',
    ],
  },
  {
    what: 'gets the paths of two spaces exchanged',
    before: [
      section('one', 'd', { space: 'a', path: 'x' }, { space: 'b', path: 'y' }),
      section('two', { space: 'c', path: 'x' }),
    ],
    after: [
      section('one', 'd', { space: 'a', path: 'y' }, { space: 'b', path: 'x' }),
      section('two', { space: 'c', path: 'x' }),
    ],
    expected: [
      'structure.one.a.path: x -> y',
      'structure.one.b.path: y -> x',
      'siteSpaces.edit {site space/one/b} {"path":"docsctl-y"}',
      'siteSpaces.edit {site space/one/a} {"path":"y"}',
      'siteSpaces.edit {site space/one/b} {"path":"x"}',
    ],
  },
  {
    what: 'gets a path that a removed space has',
    before: [section('one', { space: 'a', path: 'x' }, { space: 'b', path: 'y' })],
    after: [section('one', { space: 'a', path: 'y' })],
    expected: [
      'structure.one.a.path: x -> y',
      'structure.one.b: b -> undefined',
      'siteSpaces.edit {site space/one/b} {"path":"docsctl-y"}',
      'siteSpaces.edit {site space/one/a} {"path":"y"}',
      'siteSpaces.remove {site space/one/b}',
    ],
  },
  {
    what: 'gets a new space with the path of another',
    before: [
      { space: 'a', path: 'x' },
      { space: 'b', path: 'y' },
    ],
    after: [
      { space: 'a', path: 'y2' },
      { space: 'b', path: 'y' },
      { space: 'n', path: 'x' },
      { space: 'a', path: 'x2' },
    ],
    expected: [
      'structure.a.path: x -> y2',
      'structure.n: undefined -> n',
      'structure.a (2): undefined -> a',
      'siteSpaces.edit {site space//a} {"path":"y2"}',
      'siteSpaces.add {"spaceId":"{space/n}"}, {site space//n} = id',
      'siteSpaces.edit {site space//n} {"path":"x"}',
      'siteSpaces.add {"spaceId":"{space/a}"}, {site space//a/2} = id',
      'siteSpaces.edit {site space//a/2} {"path":"x2"}',
    ],
  },
  {
    what: 'changes the defaults of spaces',
    before: [{ space: 'a', default: true }, { space: 'b' }],
    after: [{ space: 'a' }, { space: 'b', default: true }],
    expected: ['structure.b.default: false -> true', 'sites.edit {"defaultSiteSpace":"{site space//b}"}'],
  },
  {
    what: 'changes the default section, and the spaces of sections',
    before: [
      { ...section('one', { space: 'a', default: true }, 'b'), default: true },
      section('two', { space: 'c', default: true }, 'd'),
    ],
    after: [
      section('one', 'a', { space: 'b', default: true }),
      { ...section('two', { space: 'c', default: true }, 'd'), default: true },
      section('three', { space: 'e', default: true }, 'f'),
      section('four', 'e', { space: 'f', default: true }),
    ],
    expected: [
      'structure.three: undefined -> section "three"',
      'structure.four: undefined -> section "four"',
      'structure.three.e: undefined -> e',
      'structure.three.f: undefined -> f',
      'structure.four.e: undefined -> e',
      'structure.four.f: undefined -> f',
      'structure.default: one -> two',
      'structure.one.b.default: false -> true',
      'structure.four.f.default: false -> true',
      'siteSections.add {"spaceId":"{space/e}","title":"three","icon":null}, {section/three} = id, {site space/three/e} = siteSpaces.0.id',
      'siteSections.edit {section/three} {"path":"three"}',
      'siteSections.add {"spaceId":"{space/e}","title":"four","icon":null}, {section/four} = id, {site space/four/e} = siteSpaces.0.id',
      'siteSections.edit {section/four} {"path":"four"}',
      'siteSpaces.add {"spaceId":"{space/f}","sectionId":"{section/three}"}, {site space/three/f} = id',
      'siteSpaces.add {"spaceId":"{space/f}","sectionId":"{section/four}"}, {site space/four/f} = id',
      'sites.edit {"defaultSiteSection":"{section/two}"}',
      'siteSections.edit {section/one} {"defaultSiteSpace":"{site space/one/b}"}',
      'siteSections.edit {section/four} {"defaultSiteSpace":"{site space/four/f}"}',
    ],
  },
  {
    what: 'keeps its defaults',
    before: [{ ...section('one', { space: 'a', default: true }), default: true }],
    after: [{ ...section('one', { space: 'a', default: true }), default: true }],
    expected: [],
  },
  {
    what: 'loses a space of a section, and a section',
    before: [section('one', 'a', 'b', { space: 'b', path: 'again' }), section('two', 'c')],
    after: [section('one', 'a', 'b')],
    expected: [
      'structure.one.b (2): b -> undefined',
      'structure.two: section "two" -> undefined',
      'siteSpaces.remove {site space/one/b/2}',
      'siteSections.remove {section/two}',
    ],
  },
  {
    what: 'gets a space of a section that is lost',
    before: [section('one', 'a'), section('two', 'b')],
    after: [section('one', 'b', 'a')],
    expected: [
      'structure.one.b: undefined -> b',
      'structure.one.order: undefined -> b first',
      'structure.two: section "two" -> undefined',
      'siteSpaces.add {"spaceId":"{space/b}","sectionId":"{section/one}"}, {site space/one/b} = id',
      'sites.sort {"item":{"type":"site-space","id":"{site space/one/b}"},"position":{"before":{"type":"site-space","id":"{site space/one/a}"}}}',
      'siteSections.remove {section/two}',
    ],
  },
];

test.for(cases)('a site $what', ({ before, after, expected }) => {
  expect(textsOf(before, after)).toEqual(expected);
});
