export const filters = () => `Every list takes --filter and --sort-by:

  docsctl members list --filter 'role<edit' --filter 'lastSeenAt<90d'
  docsctl spaces list --filter 'title~guide' --sort-by updatedAt:desc --limit 10

--filter 'FIELD OP VALUE' keeps the items for which this is true; of several,
all must be. --limit counts the items that are kept. A field is named as in the
JSON of the list: user.email. A wrong name is an error that lists the fields.
Quote the condition: outside quotes, a shell takes < and > for names of files.

  =   !=               equal, not equal; texts exactly as they are
  <   <=   >   >=      numbers, dates, roles, and texts as --sort-by orders them
  ~                    contains the text, ignoring case

Values are read by the type of the field:

  true, false          of a switch
  null                 no value: the field is missing, null, or an empty list
  2026-03-31           the whole day, in UTC; also 2026, 2026-03,
                       2026-03-31T14:00Z, 2026-03-31T14:00:00+02:00
  90d, 12h, 30m, 2w    an age: < is longer ago than that, > is since then
  admin ... read       roles have an order: admin > create > review > edit >
                       comment > read > guest; of a level, the least is none
  "null", "= x"        a text in double quotes, as in JSON, is always a text

A field without a value is different from every value, and neither below nor
above one: 'lastSeenAt<90d' has nobody who was never seen, 'lastSeenAt=null' has
them. A list holds a value if one of its items is that value:
'emailDomains=lumen.example', 'features.id=sites-sections'. Of a tree, such as
pages, each item at any level is kept or not, and printed by itself.

--sort-by FIELD sorts by a field, FIELD:desc in descending order. Of several
fields, with commas or repeated, the next one decides between equal items; at
last, the order of the list does. Texts ignore case, roles have their order, and
items without a value come last.

Where the service can filter or sort in the same way, it does. A flag for one
value, such as --role or --status, can be given several times or with commas:
the list has the items of each. Any other flag for one value is an error when it
is given twice; only of flags that every command has, and of --limit,
--page-size and --page, the last one counts.

  docsctl members list --role admin,create
  docsctl cr list --status all --sort-by status,updatedAt:desc
`;
