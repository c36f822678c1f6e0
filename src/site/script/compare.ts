/** Jumps between the changes of a compared page, with buttons and with the keys `n` and `p`. */
export function startCompare(): void {
  const bar = document.querySelector<HTMLElement>('.compare-bar');
  if (!bar) return;
  const changes = [...document.querySelectorAll<HTMLElement>('[id^="change-"]')];
  const place = bar.querySelector('.compare-place');
  let current = -1;
  const go = (step: number) => {
    if (changes.length === 0) return;
    current = (current + step + changes.length) % changes.length;
    const change = changes[current];
    change?.scrollIntoView({ block: 'center' });
    change?.focus({ preventScroll: true });
    if (place) place.textContent = `${current + 1} / ${changes.length}`;
  };
  for (const button of bar.querySelectorAll<HTMLButtonElement>('button')) {
    button.hidden = false;
    button.addEventListener('click', () => go(Number(button.dataset.step)));
  }
  document.addEventListener('keydown', ({ key, target, ctrlKey, metaKey, altKey }) => {
    const isTyping = target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
    if (isTyping || ctrlKey || metaKey || altKey) return;
    if (key === 'n') go(1);
    else if (key === 'p') go(current === -1 ? 0 : -1);
  });
}
