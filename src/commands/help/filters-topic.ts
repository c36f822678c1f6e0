export const filters = () => `Every list accepts --filter and --sort-by:

  docsctl members list --filter 'role<edit' --filter 'lastSeenAt<90d'
  docsctl spaces list --filter 'title~guide' --sort-by updatedAt:desc --limit 10

--filter 'FIELD OP VALUE' lists matching items; several filters must all match.
--limit counts matches. Fields are named as in the JSON output (user.email), by
the last part (email), or as in the table (Last seen); --columns takes the same
names. An unknown field is an error that lists the fields. Quote the condition,
because shells read < and > as redirections.

  =   !=               equal, not equal; text must match exactly
  <   <=   >   >=      numbers, dates, roles, and text in the --sort-by order
  ~                    contains the text, ignoring case
  =~                   matches a regular expression, ignoring case

Conditions are combined with and, or, not and parentheses:

  docsctl members list --filter 'role=guest and (lastSeenAt<90d or
    lastSeenAt=never)'

The type of the field determines how a value is read:

  true, false          a boolean
  null                 no value: the field is missing, null, or an empty list
  2026-03-31           the whole day, in UTC; also 2026, 2026-03,
                       2026-03-31T14:00Z, 2026-03-31T14:00:00+02:00
  90d, 12h, 30m, 2w    an age: < is longer ago than that, > is more recent
  admin ... read       roles are ordered: admin > create > review > edit >
                       comment > read > guest; the lowest level is none
  "null", "= x"        in double quotes, as in JSON: always text

A field without a value matches != but not < or >: 'lastSeenAt<90d' leaves out
members who were never seen; 'lastSeenAt=never' finds them. A list matches if
one of its items does: 'emailDomains=lumen.example'.
In a tree, such as pages, each item is matched and printed on its own.

--sort-by FIELD sorts by a field, FIELD:desc in descending order. More fields,
repeated or comma-separated, break ties; remaining ties keep the order of the
list. Text is sorted ignoring case, roles by rank, and missing values come last.

The service filters and sorts where it can. Flags that filter by one value, such
as --role or --status, can be repeated or comma-separated and match any of the
values. Repeating another single-value flag is an error; for global options and
for --limit, --page-size and --page, the last one wins.

  docsctl members list --role admin,create
  docsctl cr list --status all --sort-by status,updatedAt:desc
`;
