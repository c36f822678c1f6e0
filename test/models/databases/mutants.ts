import type { Mutant } from '../model.ts';

const dialect = 'src/store/postgres/dialect.ts';
const search = 'src/store/postgres/page-search.ts';

export const mutants: Mutant[] = [
  {
    name: 'a title is searched for by its first letters',
    file: dialect,
    from: 'strpos(${text}, ${part}) > 0',
    to: 'strpos(${text}, ${part}) = 1',
  },
  {
    name: 'people are found by their names only',
    file: dialect,
    from: '(fold(u.display_name) like ${pattern} or fold(u.email) like ${pattern})',
    to: '(fold(u.display_name) like ${pattern})',
  },
  {
    name: 'yes is no',
    file: 'src/store/postgres/session.ts',
    from: "(text === 't' ? 1 : 0)",
    to: "(text === 't' ? 0 : 1)",
  },
  {
    name: 'numbers are texts',
    file: 'src/store/postgres/session.ts',
    from: '[20, Number],',
    to: '[20, String],',
  },
  {
    name: 'a search does not look at headings and texts',
    file: search,
    from: '(whole.title like any ($3::text[])\n        or whole.headings like any ($3::text[]) or whole.body like any ($3::text[]))) found',
    to: 'whole.title like any ($3::text[])) found',
  },
];
