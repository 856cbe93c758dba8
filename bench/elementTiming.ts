import type { Locator, Page } from '@playwright/test'

/** The awaited elements: a number (default 1) that match a selector and, optionally, contain a text. */
export interface ExpectedElement {
  selector: string
  text?: string
  count?: number
}

const VISIBLE_TIMEOUT_MS = 120_000

/**
 * When an element was seen, in ms of the page's clock: polled every animation frame, measured one frame later. The
 * driver's own waiting polls only every half second.
 */
export async function getVisibleTime(page: Page, expectedElement: ExpectedElement): Promise<number> {
  const handle = await page.waitForFunction(
    ({ selector, text = '', count = 1 }) => {
      const found = [...document.querySelectorAll(selector)].filter((one) => one.textContent.includes(text))
      const stood = Number(Reflect.get(window, 'stood') ?? 0)
      Reflect.set(window, 'stood', found.length >= count ? stood + 1 : 0)
      if (found.length < count || stood === 0) return 0
      Reflect.set(window, 'stood', 0)
      return performance.now()
    },
    expectedElement,
    { polling: 'raf', timeout: VISIBLE_TIMEOUT_MS },
  )
  return handle.jsonValue()
}

/** Milliseconds from a click until each of these was seen, in order. */
export async function measureClickUntilVisible(
  page: Page,
  link: Locator,
  expectedElements: readonly ExpectedElement[],
): Promise<number[]> {
  await page.evaluate(() =>
    addEventListener('click', ({ timeStamp }) => Reflect.set(window, 'clicked', timeStamp), {
      capture: true,
      once: true,
    }),
  )
  await link.click()
  const seen: number[] = []
  for (const expectedElement of expectedElements) seen.push(await getVisibleTime(page, expectedElement))
  const clicked = await page.evaluate(() => Number(Reflect.get(window, 'clicked')))
  return seen.map((at) => at - clicked)
}
