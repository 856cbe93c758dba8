import type { Page } from '@playwright/test'
import { ChatPlatform } from '#support/platforms/chatPlatform.ts'
import { createAnswerIds, sendError } from '#support/platforms/scriptedPlatform.ts'
import { expect, test } from '#support/fixtures.ts'

test('a first question that the platform refused and its later try are one turn', async ({
  signedInPage,
  faultyWorkspace,
}) => {
  const platform = new ChatPlatform()
  let refusals = 1
  faultyWorkspace.platform.script = (seen, response) => {
    if (seen.path.endsWith('/chat-messages') && refusals-- > 0)
      return void response
        .writeHead(400, { 'content-type': 'application/json' })
        .end('{"code":"provider_quota_exceeded","message":"The quota is used up.","status":400}')
    return platform.script(seen, response)
  }
  await signedInPage.goto(faultyWorkspace.chat)
  await send(signedInPage, 'What is tea?')
  await expect(signedInPage.getByText('The quota is used up.').first()).toBeVisible()
  await signedInPage.getByRole('button', { name: 'Send again' }).click()
  await expect(answerArticles(signedInPage)).toHaveText([/You said: What is tea\?/])
  await expect(signedInPage.getByText('2/2')).toBeVisible()
  await signedInPage.getByRole('button', { name: 'Previous version' }).click()
  await expect(signedInPage.getByText('The quota is used up.').first()).toBeVisible()
  await signedInPage.reload()
  await expect(signedInPage.getByText('The quota is used up.').first()).toBeVisible()
  await signedInPage.getByRole('button', { name: 'Next version' }).click()
  await expect(answerArticles(signedInPage)).toHaveText([/You said: What is tea\?/])
})

test('a question that waits goes into the conversation of the answer above, though that comes whole at its end', async ({
  signedInPage,
  faultyWorkspace,
}) => {
  const asked: Record<string, unknown>[] = []
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const ids = createAnswerIds()
  faultyWorkspace.platform.script = async (seen, response) => {
    if (!seen.path.endsWith('/chat-messages')) return sendError(response, 404, { message: 'no such route' })
    const body = JSON.parse(seen.body) as Record<string, unknown>
    asked.push(body)
    await held
    const answer = {
      ...ids,
      event: 'message',
      mode: 'chat',
      message_id: `${ids.message_id.slice(0, -1)}${asked.length}`,
    }
    sendError(response, 200, { ...answer, id: answer.message_id, answer: `To ${String(body.query)}`, metadata: {} })
  }
  await signedInPage.goto(faultyWorkspace.chat)
  await signedInPage.getByRole('radiogroup', { name: 'Response mode' }).getByText('blocking').click()
  await send(signedInPage, 'the first')
  await expect.poll(() => asked.length).toBe(1)
  await send(signedInPage, 'the second')
  await expect(signedInPage.getByRole('button', { name: 'Cancel' })).toBeVisible()
  release()
  await expect(answerArticles(signedInPage)).toHaveText([/To the first/, /To the second/])
  await expect(signedInPage).toHaveURL(new RegExp(`conversation=${ids.conversation_id}`))
  expect(asked[1]).toMatchObject({ query: 'the second', conversation_id: ids.conversation_id })
})

async function send(page: Page, question: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Your question' }).fill(question)
  await page.keyboard.press('Control+Enter')
}

const answerArticles = (page: Page) => page.getByRole('log').getByRole('article', { name: 'Answer' })
