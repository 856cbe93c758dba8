import type { Locator, Page } from '@playwright/test'

/** What is waited for: so many elements (one unless told) that a selector finds, with these words in them if told. */
export interface ExpectedElement {
  selector: string
  text?: string
  count?: number
}

const VISIBLE_TIMEOUT_MS = 120_000

/**
 * When something was seen, by the page's own clock in milliseconds: looked for at each picture, and counted at the one after.
 * The driver's own waiting looks every half second only, and would round to that.
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

/** Milliseconds from a person's click until each of these was seen, one after the other. */
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
