/** The texts of the interface around pages. */
export interface Texts {
  skipToContent: string;
  contents: string;
  sections: string;
  siteLinks: string;
  moreLinks: string;
  breadcrumbs: string;
  onThisPage: string;
  pagination: string;
  previous: string;
  next: string;
  search: string;
  searchPlaceholder: string;
  noResults(query: string): string;
  searchFailed: string;
  results(count: number): string;
  language: string;
  variant: string;
  switchTheme: string;
  lastUpdated: string;
  copyPage: string;
  pageActions: string;
  viewMarkdown: string;
  editPage: string;
  subscribe: string;
  copy: string;
  copied: string;
  close: string;
  announcement: string;
  opensInNewTab: string;
  showPagesBelow(title: string): string;
  privacyPolicy: string;
  notFoundTitle: string;
  notFoundText: string;
  goHome: string;
  gateTitle: string;
  gateSignIn: string;
  gateExpired: string;
  emptySite: string;
  problems: string;
  showAllLines: string;
  showFewerLines: string;
  diagram: string;
  diagramSource: string;
  diagramNote: string;
  diagramMistake(message: string): string;
}

export const english: Texts = {
  skipToContent: 'Skip to content',
  contents: 'Contents',
  sections: 'Sections',
  siteLinks: 'Site',
  moreLinks: 'More',
  breadcrumbs: 'Breadcrumbs',
  onThisPage: 'On this page',
  pagination: 'Previous and next page',
  previous: 'Previous',
  next: 'Next',
  search: 'Search',
  searchPlaceholder: 'Search…',
  noResults: (query) => `Nothing found for “${query}”.`,
  searchFailed: 'The search did not answer. Try again.',
  results: (count) => (count === 1 ? '1 result' : `${count} results`),
  language: 'Language',
  variant: 'Version',
  switchTheme: 'Switch between light and dark',
  lastUpdated: 'Last updated on',
  copyPage: 'Copy page',
  pageActions: 'More for this page',
  viewMarkdown: 'View as Markdown',
  editPage: 'Edit this page',
  subscribe: 'Subscribe',
  copy: 'Copy',
  copied: 'Copied',
  close: 'Close',
  announcement: 'Announcement',
  opensInNewTab: '(opens in a new tab)',
  showPagesBelow: (title) => `Pages below ${title}`,
  privacyPolicy: 'Privacy policy',
  notFoundTitle: 'Page not found',
  notFoundText:
    'Check the address, or search for what you need. The page may have moved, or is not published any more.',
  goHome: 'Go to the first page',
  gateTitle: 'This site is not open to everybody',
  gateSignIn: 'Only visitors who have signed in can read it. Open it from the application that you sign in to.',
  gateExpired: 'Your sign-in has expired or is not valid. Open the site anew from the application that you sign in to.',
  emptySite: 'There is nothing here yet.',
  problems: 'Problems on this page',
  showAllLines: 'Show all lines',
  showFewerLines: 'Show fewer lines',
  diagram: 'Diagram',
  diagramSource: 'Source of the diagram',
  diagramNote: 'This diagram is shown as its source, in the language of Mermaid.',
  diagramMistake: (message) => `This diagram cannot be drawn: ${message}`,
};
