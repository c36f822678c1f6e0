import { escapeHtml } from '../../shared/escape-html.ts';
import { measureNames, measures, type ReportRow, totalsOf } from './content-report.ts';

const style =
  'body{font:15px/1.5 system-ui,sans-serif;margin:2rem;color:#1b1f24}table{border-collapse:collapse;width:100%}th,td{padding:.35rem .6rem;border-bottom:1px solid #d5dae0;text-align:left;vertical-align:top}th{position:sticky;top:0;background:#fff}td.n{text-align:right}li strong{display:inline-block;min-width:3rem}';

/** The report as one page without scripts. */
export function htmlReport(rows: readonly ReportRow[], today: string): string {
  const totals = totalsOf(rows);
  const cell = (value: string | number | undefined) =>
    `<td${typeof value === 'number' ? ' class="n"' : ''}>${escapeHtml(String(value ?? ''))}</td>`;
  const lines = rows.map(
    ({ where, title, changed, owner, review, links, broken, lost, behind, size, similar, problems }) =>
      `<tr>${[where, title, changed, owner, review, links, broken, lost, behind, size, similar?.join(', '), problems.join(', ')].map(cell).join('')}</tr>`,
  );
  const heads = [
    'Where',
    'Title',
    'Changed',
    'Owner',
    'Review',
    'Links',
    'Broken',
    'Lost %',
    'Behind',
    'Bytes',
    'Similar',
    'Problems',
  ];
  const items = measureNames.map(
    (measure) => `<li><strong>${totals[measure]}</strong> ${escapeHtml(measures[measure])}</li>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Content report of ${escapeHtml(today)}</title>
<style>${style}</style>
<h1>Content report of ${escapeHtml(today)}</h1>
<ul>
${items.join('\n')}
</ul>
<table>
<thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead>
<tbody>
${lines.join('\n')}
</tbody>
</table>
</html>
`;
}
