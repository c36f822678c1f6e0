import { html, type Html } from '../html.ts';
import { type Drawing, link, picture } from './controls.ts';

export function footer(drawing: Drawing): Html {
  const { site, texts } = drawing;
  const { groups, copyright, logo } = site.footer;
  const groupLists = groups.map(
    ({ title, links }) =>
      html`<div class="footer-group">
        <h2>${title}</h2>
        <ul>
          ${links.map((item) => html`<li>${link(drawing, item)}</li>`)}
        </ul>
      </div>`,
  );
  const policy =
    site.privacyPolicy !== undefined &&
    link(drawing, { title: texts.privacyPolicy, href: site.privacyPolicy, isExternal: true });
  const hasEnd = copyright !== undefined || policy || site.isTrademarkShown;
  if (groups.length === 0 && !logo && !hasEnd) return html``;
  return html`<footer class="footer">
    <div class="footer-inner">
      ${logo && html`<div class="footer-logo">${picture(logo, site.title, html` height="28"`)}</div>`}
      ${groups.length > 0 && html`<div class="footer-groups">${groupLists}</div>`}
      ${hasEnd && html`<div class="footer-end">${copyright !== undefined && html`<p>${copyright}</p>`}${policy && html`<p>${policy}</p>`}</div>`}
    </div>
  </footer>`;
}
