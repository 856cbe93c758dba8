import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/** A rule that a page breaks, with the HTML of the elements that break it. */
export type AccessibilityViolation = [rule: string, elements: string[]]

/** The serious and the critical violations that axe finds on a page, of the given rules or of all. */
export const findSeriousViolations = async (page: Page, rules?: readonly string[]): Promise<AccessibilityViolation[]> =>
  (await analyzePage(page, rules))
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(toViolation)

/** Pixels by which the content of a page is wider than its window: 0 where nothing scrolls sideways. */
export const measureOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** The fields of a page that its window cuts off, as HTML. What stands in a table may scroll with it. */
export const listCutFields = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('main :is(input, select, textarea)')]
      .filter((field) => field.checkVisibility() && !field.closest('table, [role="grid"], [role="treegrid"]'))
      .filter((field) => field.getBoundingClientRect().right > document.documentElement.clientWidth)
      .map(({ outerHTML }) => outerHTML),
  )

async function analyzePage(page: Page, rules: readonly string[] | undefined) {
  // Legacy mode checks the page in place. Otherwise axe opens another page for the reports of frames, of which Loupe has none.
  const builder = new AxeBuilder({ page }).setLegacyMode()
  if (rules) builder.withRules([...rules])
  // People who speak to their computer say the text that they see. axe calls the rule experimental, and leaves it out.
  else builder.options({ rules: { 'label-content-name-mismatch': { enabled: true } } })
  return (await builder.analyze()).violations
}

const toViolation = ({ id, nodes }: { id: string; nodes: { html: string }[] }): AccessibilityViolation => [
  id,
  nodes.map(({ html }) => html),
]

/** A scroll bar that moves its content by less than this shows nothing that was hidden. */
const MIN_SCROLL_PX = 8

/**
 * The scroll bars of a page that move nothing worth the space they take, each with the pixels that it moves. The browser
 * must draw scroll bars.
 */
export const listIdleScrollBars = (page: Page): Promise<string[]> =>
  page.evaluate(
    (minimum) =>
      [...document.querySelectorAll<HTMLElement>('body *')].flatMap((element) => {
        const { overflowX, overflowY, ...style } = getComputedStyle(element)
        const toPixels = (width: string) => Math.round(Number.parseFloat(width))
        const bars = [
          {
            direction: 'up and down',
            isDrawn:
              element.offsetWidth - element.clientWidth >
              toPixels(style.borderLeftWidth) + toPixels(style.borderRightWidth),
            overflow: overflowY,
            movesPx: element.scrollHeight - element.clientHeight,
          },
          {
            direction: 'sideways',
            isDrawn:
              element.offsetHeight - element.clientHeight >
              toPixels(style.borderTopWidth) + toPixels(style.borderBottomWidth),
            overflow: overflowX,
            movesPx: element.scrollWidth - element.clientWidth,
          },
        ]
        return bars
          .filter(({ isDrawn, overflow, movesPx }) => isDrawn && /auto|scroll/.test(overflow) && movesPx < minimum)
          .map(({ direction, movesPx }) => {
            const name = element.getAttribute('aria-label') ?? element.textContent.slice(0, 40)
            return `${element.localName}.${element.className} “${name}”: ${direction} by ${movesPx} px`
          })
      }),
    MIN_SCROLL_PX,
  )
