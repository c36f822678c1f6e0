import { html, type Html } from '../site/html.ts';
import type { Visit } from './visit.ts';

/** A form, with its token against requests of other sites. @param action a path below the root */
export const form = (visit: Visit, action: string, content: Html, className = ''): Html =>
  html`<form class="app-form ${className}" method="post" action="${visit.root + action}">
    <input type="hidden" name="token" value="${visit.tokenFor(action)}" />
    ${content}
  </form>`;

/** A form that is only a button. */
export const buttonForm = (visit: Visit, action: string, label: Html | string, more: Html = html``): Html =>
  form(visit, action, html`${more}<button class="button button-secondary">${label}</button>`, 'app-inline');
