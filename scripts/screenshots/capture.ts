import type { Page } from 'playwright-core';

/** As WebP, a quarter of the size of PNG; the browser has it in its own protocol only. */
export async function capture(page: Page, quality = 90): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality });
  return Buffer.from(data, 'base64');
}
