import { html, type Html } from '../site/html.ts';

const format = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });

/** The day of a time; empty if it is none. */
export const dateText = (time: string): string => (Number.isNaN(Date.parse(time)) ? '' : format.format(new Date(time)));

export const date = (time: string): Html => html`<time datetime="${time}">${dateText(time)}</time>`;
