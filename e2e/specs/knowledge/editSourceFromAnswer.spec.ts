import type { Page } from '@playwright/test'
import { askQuestion } from '#support/chatPage.ts'
import { expectAccessible, writeDocument } from '#support/documentFixtures.ts'
import { expect, PLATFORM_VARIANTS, test } from '#support/knowledgeFixtures.ts'

for (const offered of PLATFORM_VARIANTS)
  test.describe(offered, () => {
    test.use({ platformVariant: offered })

    test('from a source under an answer to its chunk, which is mended, and the question is asked again', async ({
      knowledge,
    }) => {
      const { page } = knowledge
      const lamp = knowledge.hasOptionalOperations ? 'zephyrine' : 'quillon'
      const name = `${lamp} manual`
      await writeDocument(
        knowledge,
        name,
        `The ${lamp} lamp carries a seat of brass.\nThe ${lamp} gap stays below 0.4 mm.\n\nA ${lamp} lamp goes back in 45 days.`,
      )
      await knowledge.open('/chat')
      await askQuestion(page, `Which gap has the ${lamp}?`)
      const answer = page.getByRole('article', { name: 'Answer' })
      await answer.getByRole('link', { name: `Source 1: ${name}` }).click()

      const origin = page.getByRole('region', { name: 'Answer that led here' })
      await expect(origin).toContainText(`Which gap has the ${lamp}?`)
      await page
        .getByRole('button', { name: /0\.4 mm/ })
        .first()
        .click()
      const editor = page.getByRole('textbox', { name: 'content' })
      await editor.fill(`Which gap has the ${lamp}? Below 0.35 mm.`)
      await editor.press('Control+Enter')
      const history = page.getByRole('region', { name: 'Saved versions' })
      await expect(history).toContainText('0.35 mm')

      await expectPageStill(page)
      await origin.getByRole('button', { name: 'Ask again' }).click()
      await expect(origin.getByRole('row', { name: /This segment/ })).toContainText(
        /rank 1, score ([\d.]+).*rank 1, score (?!\1)/,
      )
      await expect(origin).toContainText('Both answers are identical.')
      await expectPageStill(page)
      await expect(page.getByRole('region', { name: /^Segments/ })).toContainText(lamp)
      await expectAccessible(page)

      await history
        .getByRole('listitem')
        .filter({ hasText: 'Retrieved before it was edited' })
        .getByRole('button')
        .click()
      await expect(editor).toHaveValue(`The ${lamp} gap stays below 0.4 mm.`)
      await origin.getByRole('button', { name: 'Dismiss' }).click()
      await expect(origin).toBeHidden()
    })

    test('a citation is mended and asked again with four clicks', async ({ knowledge }) => {
      const { page } = knowledge
      const lamp = knowledge.hasOptionalOperations ? 'arclight' : 'beamer'
      await writeDocument(
        knowledge,
        `${lamp} notes`,
        `The ${lamp} stands on brass.\nThe ${lamp} gap stays below 0.4 mm.`,
      )
      await knowledge.open('/chat')
      await askQuestion(page, `Which gap has the ${lamp}?`)
      const clicks = [
        page.getByRole('article', { name: 'Answer' }).getByRole('link', { name: `Source 1: ${lamp} notes` }),
        page.getByRole('button', { name: /0\.4 mm/ }).first(),
      ]
      for (const target of clicks) await target.click()
      // The focus is in the editor: no click to begin to write.
      await expect(page.getByRole('textbox', { name: 'content' })).toBeFocused()
      await page.keyboard.press('Control+A')
      await page.keyboard.type(`The ${lamp} gap stays below 0.35 mm.`)
      await page.getByRole('button', { name: 'Save and ask again' }).click()
      clicks.push(page.getByRole('button', { name: 'Save and ask again' }))
      const origin = page.getByRole('region', { name: 'Answer that led here' })
      await expect(origin.getByRole('row', { name: /This segment/ })).toContainText('rank 1')
      expect(clicks.length).toBeLessThanOrEqual(4)
    })
  })

/** The page has not scrolled, and cannot: its panes take what the bar above them leaves. */
async function expectPageStill(page: Page): Promise<void> {
  const scrolled = await page.evaluate(() =>
    [...document.querySelectorAll('main, main > *, main > * > *')].map(({ scrollTop, scrollHeight, clientHeight }) => [
      scrollTop,
      Math.max(0, scrollHeight - clientHeight - 1),
    ]),
  )
  expect(scrolled.flat().filter((pixels) => pixels > 0)).toEqual([])
  await expect(page.getByRole('button', { name: 'Ask again', exact: true })).toBeInViewport()
}
