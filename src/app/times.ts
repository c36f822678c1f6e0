import { html, type Html } from '../site/html.ts';

const format = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });

/** The day of a time. */
export const date = (time: string): Html =>
  Number.isNaN(Date.parse(time)) ? html`` : html`<time datetime="${time}">${format.format(new Date(time))}</time>`;
