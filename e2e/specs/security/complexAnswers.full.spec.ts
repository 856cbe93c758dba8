import { answerSlowly, createAnswerIds } from '#support/platforms/scriptedPlatform.ts'
import { expect, test } from '#support/fixtures.ts'

/** Markdown whose parsing takes minutes, or more stack than there is, where nothing bounds it: the test would time out. */
const COMPLEX_TEXTS = {
  'emphasis that never closes': '*_'.repeat(50_000),
  'quotations in one another': `${'> '.repeat(10_000)}deep`,
  'links in links': `${'[a]('.repeat(30_000)}b`,
  'lists in one another': Array.from({ length: 400 }, (_, depth) => `${' '.repeat(depth * 2)}- item`).join('\n'),
}
const LAST_WORDS = 'The words behind it.'

for (const [name, text] of Object.entries(COMPLEX_TEXTS))
  test(`an answer of ${name} freezes nothing: it is shown as text, and what follows is rendered`, async ({
    signedInPage,
    faultyWorkspace,
  }) => {
    faultyWorkspace.platform.script = (seen, response) =>
      seen.path.endsWith('/chat-messages')
        ? answerSlowly(response, createAnswerIds(), [`**First.**\n\n${text}`, `\n\n\n${LAST_WORDS}`], 1)
        : void response.writeHead(404).end()
    await signedInPage.goto(faultyWorkspace.chat)
    await signedInPage.getByRole('textbox', { name: 'Your question' }).fill('Show it.')
    await signedInPage.keyboard.press('Control+Enter')
    const article = signedInPage.getByRole('log').getByRole('article', { name: 'Answer' })
    await expect(article.getByRole('button', { name: 'Regenerate' })).toBeVisible()
    await expect(article.getByText(LAST_WORDS)).toBeVisible()
    await expect(article.locator('strong').first()).toHaveText('First.')
    await signedInPage.getByRole('textbox', { name: 'Your question' }).fill('Still alive?')
    await expect(signedInPage.getByRole('button', { name: 'Send', exact: true })).toBeEnabled()
  })
