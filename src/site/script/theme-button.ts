import { store } from './storage.ts';

const root = document.documentElement;

const isDark = (): boolean =>
  root.dataset.theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : root.dataset.theme === 'dark';

export function startThemeButton(): void {
  for (const button of document.querySelectorAll('.theme-button')) {
    button.addEventListener('click', () => {
      const theme = isDark() ? 'light' : 'dark';
      root.dataset.theme = theme;
      store('docs-theme', theme);
    });
  }
}
