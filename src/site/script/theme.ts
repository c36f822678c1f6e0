/** Runs before the page is drawn: sets the theme that the reader chose. */
const root = document.documentElement;
root.classList.add('js');
try {
  const theme = localStorage.getItem('docs-theme');
  if (root.dataset.themes === 'toggle' && (theme === 'light' || theme === 'dark')) root.dataset.theme = theme;
} catch {
  // The reader does not allow storage.
}
export {};
