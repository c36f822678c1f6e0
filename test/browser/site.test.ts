// @module-tag browser
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityFindings, type Served, serveDemoSite } from './support.ts';

let served: Served;
beforeAll(async () => {
  served = await serveDemoSite();
});
afterAll(() => served.close());

test.each(['light', 'dark'] as const)('axe finds nothing on any template in %s mode', async (colorScheme) => {
  for (const path of ['', 'zero-point', 'no-such-page', '~search?q=zero', 'api/']) {
    await using opened = await served.open(path, { colorScheme });
    expect([path, await accessibilityFindings(opened.page)]).toEqual([path, []]);
  }
  await using opened = await served.open('', { colorScheme });
  await opened.page.keyboard.press('/');
  await opened.page.keyboard.type('zero');
  await opened.page.waitForSelector('[role="option"]');
  expect(await accessibilityFindings(opened.page)).toEqual([]);
});

test('a page loads nothing from elsewhere, keeps to its policy and has no sideways scroll from 320 px on', async () => {
  for (const width of [320, 390, 768, 1280, 2560]) {
    await using opened = await served.open('', { viewport: { width, height: 800 } });
    const { page, faults } = opened;
    const [content, visible] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    expect([width, content]).toEqual([width, visible]);
    expect(await page.locator('h1').count()).toBe(1);
    expect(faults).toEqual([]);
  }
});

test('search opens with a key, finds pages as words are typed, and arrows and Enter lead to one', async () => {
  await using opened = await served.open('maintenance');
  const { page, faults } = opened;

  await page.keyboard.press('/');
  await page.keyboard.type('zero poi');
  await page.waitForSelector('[role="option"]');
  expect(await page.locator('[role="option"]').first().textContent()).toContain('Zero point');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('combobox');
  await page.keyboard.press('Escape');
  expect(await page.locator('dialog[open]').count()).toBe(0);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('zero poi');
  await page.waitForSelector('[aria-selected="true"]');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/zero-point');
  expect(await page.title()).toBe('Zero point – Lumen Pumps');
  expect(faults).toEqual([]);
});

test('tabs change with arrow keys, and the choice stays on the next visit', async () => {
  await using opened = await served.open();
  const { page } = opened;

  await page.locator('[role="tab"]').first().focus();
  await page.keyboard.press('ArrowRight');

  const selected = page.locator('[role="tab"][aria-selected="true"]');
  expect(await selected.textContent()).toBe('Python');
  expect(await page.locator('.tab-panel:visible').count()).toBe(1);
  await page.reload();
  expect(await selected.textContent()).toBe('Python');
});

test('the theme follows the system until the reader chooses one, which stays', async () => {
  await using opened = await served.open('', { colorScheme: 'dark' });
  const { page } = opened;
  const brightness = () =>
    page.evaluate(() => Number(/\d+/.exec(getComputedStyle(document.documentElement).backgroundColor)?.[0]));

  expect(await brightness()).toBeLessThan(60);
  await page.click('.theme-button');
  expect(await brightness()).toBeGreaterThan(240);
  await page.reload();
  expect(await brightness()).toBeGreaterThan(240);
});

test('everything is reached with the keyboard, and what has the focus is seen', async () => {
  await using opened = await served.open();
  const { page } = opened;
  const reached = new Set<string>();
  for (let step = 0; step < 120; step++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return undefined;
      const { width, height } = element.getBoundingClientRect();
      const name = element.getAttribute('aria-label') ?? element.textContent.trim();
      return { name, isSeen: width > 0 && height > 0 };
    });
    if (!focused) break;
    expect([focused.name, focused.isSeen]).toEqual([focused.name, true]);
    reached.add(focused.name);
  }
  for (const name of [
    'Skip to content',
    'Search',
    'Blog',
    'Switch between light and dark',
    'Documentation',
    'Copy page',
  ]) {
    expect([...reached]).toContain(name);
  }
  expect([...reached].some((name) => name.includes('Zero point'))).toBe(true);
});

test('on a small screen the contents are a drawer, also without JavaScript', async () => {
  for (const javaScriptEnabled of [true, false]) {
    await using opened = await served.open('', { viewport: { width: 390, height: 844 }, javaScriptEnabled });
    const { page } = opened;
    const entry = page.locator('.tree a', { hasText: 'Zero point' });
    expect(await entry.isVisible()).toBe(false);
    await page.click('.contents-button');
    await entry.click();
    await page.waitForURL('**/zero-point');
  }
});

test('without JavaScript all panels of tabs are shown, and the search is a page', async () => {
  await using opened = await served.open('', { javaScriptEnabled: false });
  const { page } = opened;

  expect(await page.locator('.tab-panel:visible').count()).toBe(3);
  await page.fill('.search input', 'undone');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/~search?q=undone');
  expect(await page.locator('.result h2').allTextContents()).toContain('Zero point');
});

test('what only some visitors may see needs their claims, which a cookie of the site keeps', async () => {
  await using opened = await served.open();
  const { page, context } = opened;
  expect(await page.locator('.sections').textContent()).not.toContain('For teams');
  expect(await page.locator('.text').textContent()).not.toContain('Only teams');
  expect(await context.cookies()).toEqual([]);

  await page.goto(`${served.home}?visitor.plan=team`);
  expect(page.url()).toBe(served.home);
  expect(await page.locator('.sections').textContent()).toContain('For teams');
  expect(await page.locator('.text').textContent()).toContain('Only teams see this sentence.');
});

test('a button of a page searches for its words', async () => {
  await using opened = await served.open();
  const { page } = opened;

  await page.click('[data-action="search"]');
  await page.waitForSelector('[role="option"]');

  expect(await page.locator('.search-head input').inputValue()).toBe('zero poi');
  expect(await page.locator('[role="option"]').first().textContent()).toContain('Zero point');
});

test('a page can be copied as Markdown, or opened as it', async () => {
  await using opened = await served.open('zero-point');
  const { page, context } = opened;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);

  await page.click('.copy-page');
  await page.waitForSelector('.copy-page.done');
  expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(
    /^# Zero point\n\n> For language models: .*llms\.txt>\.\n\nFind the zero point/,
  );
  await page.click('.page-actions summary');
  await page.click('.page-actions .menu-list a');
  await page.waitForURL('**/zero-point.md');
});

test('the link to skip to the content is the first, and moves the focus there', async () => {
  await using opened = await served.open('zero-point');
  const { page } = opened;

  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.querySelector('main')?.contains(document.activeElement))).toBe(true);
});

test('nothing moves for readers who want less motion', async () => {
  const motionOf = async (reducedMotion: 'reduce' | 'no-preference') => {
    await using opened = await served.open('', { reducedMotion });
    return await opened.page.evaluate(() => [
      getComputedStyle(document.documentElement).scrollBehavior,
      getComputedStyle(document.querySelector('.button')!).transitionDuration === '0s',
    ]);
  };

  expect(await motionOf('no-preference')).toEqual(['smooth', false]);
  expect(await motionOf('reduce')).toEqual(['auto', true]);
});

test('on paper there is the text, all of it, and nothing around it', async () => {
  await using opened = await served.open();
  const { page } = opened;
  await page.emulateMedia({ media: 'print' });

  for (const name of ['.header', '.contents', '.outline', '.footer', '.page-actions', '.pagination', '.copy-code']) {
    expect([name, await page.locator(name).first().isVisible()]).toEqual([name, false]);
  }
  expect(await page.locator('.tab-panel:visible').count()).toBe(3);
  expect(await page.getByText('Then the sensor is broken').isVisible()).toBe(true);
});

test('a page and all that it loads are small', async () => {
  await using opened = await served.open();
  const { page } = opened;

  const sizes: [name: string, bytes: number][] = await page.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map((entry) => [
      entry.name,
      (entry as PerformanceResourceTiming).encodedBodySize,
    ]),
  );

  const scripts = sizes.filter(([name]) => name.endsWith('.js')).reduce((sum, [, bytes]) => sum + bytes, 0);
  expect(sizes.length).toBeGreaterThanOrEqual(4);
  expect(scripts).toBeLessThan(30_000);
  const isFont = (name: string) => name.endsWith('.woff2');
  const sumOf = (some: typeof sizes) => some.reduce((sum, [, bytes]) => sum + bytes, 0);
  expect(sumOf(sizes.filter(([name]) => !isFont(name)))).toBeLessThan(60_000);
  expect(sumOf(sizes.filter(([name]) => isFont(name)))).toBeLessThan(120_000);
});

test('a site with share links cannot be found by those without one', async () => {
  await served.call('PATCH', served.site, { visibility: 'share-link' });
  try {
    await using opened = await served.open();
    const { page } = opened;
    expect(await page.locator('h1').textContent()).toBe('Page not found');
    expect(await page.content()).not.toContain('Lumen');

    const link = await served.call('POST', `${served.site}/share-links`, { name: 'Partners' });
    await page.goto(link.body.urls.published);
    expect(await page.locator('h1').textContent()).toBe('Calibration');
    await page.click('.pagination-next');
    await page.waitForURL('**/zero-point');
    expect(await page.locator('h1').textContent()).toContain('Zero point');
  } finally {
    await served.call('PATCH', served.site, { visibility: 'public' });
  }
});

test('a site for visitors shows who may read it, and opens with a token of the organization', async () => {
  await served.call('PATCH', served.site, { visibility: 'visitor-auth' });
  try {
    await using opened = await served.open();
    const { page } = opened;
    expect(await page.locator('h1').textContent()).toBe('This site is not open to everybody');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect([colorScheme, await accessibilityFindings(page)]).toEqual([colorScheme, []]);
    }
    await page.goto(`${served.home}?jwt_token=a.b.c`);
    expect(await page.locator('.text').textContent()).toContain('expired');

    const ping = await served.call('POST', `${served.orgPath}/ping`);
    await page.goto(`${served.home}?jwt_token=${ping.body.serviceVisitorClaims}`);
    expect(page.url()).toBe(served.home);
    expect(await page.locator('h1').textContent()).toBe('Calibration');
  } finally {
    await served.call('PATCH', served.site, { visibility: 'public' });
  }
});
