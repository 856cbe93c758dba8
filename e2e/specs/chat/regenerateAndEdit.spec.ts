import type { Page } from '@playwright/test'
import { answerArticles, askQuestion } from '#support/chatPage.ts'
import { ChatPlatform } from '#support/platforms/chatPlatform.ts'
import { expect, test } from '#support/fixtures.ts'

test('asking once more, and in other words, makes branches of the same turn', async ({
  signedInPage,
  faultyWorkspace,
  context,
}) => {
  const platform = new ChatPlatform()
  let tries = 0
  platform.createReply = ({ query }) => ({ words: [`Try ${++tries} `, 'of ', String(query)] })
  faultyWorkspace.platform.script = platform.script
  await signedInPage.goto(faultyWorkspace.chat)
  await askQuestion(signedInPage, 'What is tea?')
  await expect(answerArticles(signedInPage)).toHaveText([/Try 1 of What is tea\?/])
  await signedInPage.getByRole('button', { name: 'Regenerate' }).click()
  await expect(answerArticles(signedInPage)).toHaveText([/Try 2 of What is tea\?/])
  await expect(signedInPage.getByText('2/2')).toBeVisible()
  await expect(signedInPage.getByText('its conversation contains all 2 versions in sequence')).toBeVisible()

  await askQuestion(signedInPage, 'And coffee?')
  await expect(answerArticles(signedInPage)).toHaveText([/Try 2/, /Try 3 of And coffee\?/])
  await turnRegion(signedInPage, 'What is tea?').hover()
  await turnRegion(signedInPage, 'What is tea?').getByRole('button', { name: 'Edit question' }).click()
  await signedInPage.getByRole('textbox', { name: 'Edited question' }).fill('What is green tea?')
  await signedInPage.reload()
  await expect(signedInPage.getByRole('textbox', { name: 'Edited question' })).toHaveValue('What is green tea?')
  await signedInPage.keyboard.press('Tab')
  await signedInPage.getByRole('button', { name: 'Ask again', exact: true }).click()
  await expect(answerArticles(signedInPage)).toHaveText([/Try 4 of What is green tea\?/, /Try 3/])
  await expect(signedInPage.getByText('3/3')).toBeVisible()

  const before = signedInPage.getByRole('button', { name: 'Previous version' })
  await before.focus()
  await signedInPage.keyboard.press('Enter')
  await expect(signedInPage.getByText('2/3')).toBeVisible()
  await expect(before).toBeFocused()
  await signedInPage.keyboard.press('Enter')
  await expect(answerArticles(signedInPage)).toHaveText([/Try 1 of What is tea\?/, /Try 3/])
  await expect(turnRegion(signedInPage, 'What is tea?')).toBeVisible()

  const second = await context.newPage()
  await second.goto(signedInPage.url())
  await expect(second.getByText('1/3')).toBeVisible()
  await expect(answerArticles(second)).toHaveText([/Try 1 of What is tea\?/, /Try 3/])
  await second.close()

  const sent = platform.turns.map(({ query, conversation_id }) => [query, conversation_id])
  const conversation = sent[0]?.[1]
  expect(sent).toEqual([
    ['What is tea?', conversation],
    ['What is tea?', conversation],
    ['And coffee?', conversation],
    ['What is green tea?', conversation],
  ])
})

const turnRegion = (page: Page, question: string) => page.getByRole('log').getByRole('region', { name: question })
