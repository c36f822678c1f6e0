import { decodeAddress } from '../../shared/decode.ts';

/** Marks the heading that is read in the list of headings at the side. */
export function startOutline(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.outline a')];
  const headings = links.map((link) => document.getElementById(decodeAddress(link.hash.slice(1))));
  if (links.length === 0) return;
  let isWaiting = false;
  const mark = () => {
    isWaiting = false;
    const line = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) + 12 || 120;
    const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 4 && scrollY > 0;
    const passed = headings.filter((heading) => heading && heading.getBoundingClientRect().top <= line).length;
    const current = isAtEnd ? headings.length - 1 : Math.max(0, passed - 1);
    for (const [index, link] of links.entries()) {
      if (index === current) link.setAttribute('aria-current', 'location');
      else link.removeAttribute('aria-current');
    }
  };
  const plan = () => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(mark);
  };
  addEventListener('scroll', plan, { passive: true });
  addEventListener('resize', plan);
  mark();
}
