/**
 * Live reload of a preview: the server tells of changes on an event stream beside the assets. The browser keeps its place
 * when it loads the page anew.
 */
new EventSource(new URL('events', import.meta.url)).addEventListener('change', () => location.reload());
export {};
