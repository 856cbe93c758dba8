import type { Page } from '@playwright/test'
import { ChatPlatform } from './faults/chat.ts'
import { newIds, refuse } from './faults/platform.ts'
import { expect, test } from './fixtures.ts'

test('asking once more, and in other words, makes branches of the same turn', async ({ desk, faults, context }) => {
  const platform = new ChatPlatform()
  let tries = 0
  platform.speak = ({ query }) => ({ words: [`Try ${++tries} `, 'of ', String(query)] })
  faults.platform.script = platform.script
  await desk.goto(faults.chat)
  await send(desk, 'What is tea?')
  await expect(answers(desk)).toHaveText([/Try 1 of What is tea\?/])
  await desk.getByRole('button', { name: 'Ask once more' }).click()
  await expect(answers(desk)).toHaveText([/Try 2 of What is tea\?/])
  await expect(desk.getByText('2/2')).toBeVisible()
  await expect(desk.getByText('its conversation holds all 2, one after the other')).toBeVisible()

  await send(desk, 'And coffee?')
  await expect(answers(desk)).toHaveText([/Try 2/, /Try 3 of And coffee\?/])
  await turn(desk, 'What is tea?').hover()
  await turn(desk, 'What is tea?').getByRole('button', { name: 'Edit and ask again' }).click()
  await desk.getByRole('textbox', { name: 'The question in other words' }).fill('What is green tea?')
  await desk.reload()
  await expect(desk.getByRole('textbox', { name: 'The question in other words' })).toHaveValue('What is green tea?')
  await desk.keyboard.press('Tab')
  await desk.getByRole('button', { name: 'Ask again', exact: true }).click()
  await expect(answers(desk)).toHaveText([/Try 4 of What is green tea\?/, /Try 3/])
  await expect(desk.getByText('3/3')).toBeVisible()

  const before = desk.getByRole('button', { name: 'Try before' })
  await before.focus()
  await desk.keyboard.press('Enter')
  await expect(desk.getByText('2/3')).toBeVisible()
  await expect(before).toBeFocused()
  await desk.keyboard.press('Enter')
  await expect(answers(desk)).toHaveText([/Try 1 of What is tea\?/, /Try 3/])
  await expect(turn(desk, 'What is tea?')).toBeVisible()

  const second = await context.newPage()
  await second.goto(desk.url())
  await expect(second.getByText('1/3')).toBeVisible()
  await expect(answers(second)).toHaveText([/Try 1 of What is tea\?/, /Try 3/])
  await second.close()

  const sent = platform.said.map(({ query, conversation_id }) => [query, conversation_id])
  const conversation = sent[0]?.[1]
  expect(sent).toEqual([
    ['What is tea?', conversation],
    ['What is tea?', conversation],
    ['And coffee?', conversation],
    ['What is green tea?', conversation],
  ])
})

test('a first question that the platform refused and its later try are one turn', async ({ desk, faults }) => {
  const platform = new ChatPlatform()
  let refusals = 1
  faults.platform.script = (seen, response) => {
    if (seen.path.endsWith('/chat-messages') && refusals-- > 0)
      return void response
        .writeHead(400, { 'content-type': 'application/json' })
        .end('{"code":"provider_quota_exceeded","message":"The quota is used up.","status":400}')
    return platform.script(seen, response)
  }
  await desk.goto(faults.chat)
  await send(desk, 'What is tea?')
  await expect(desk.getByText('The quota is used up.').first()).toBeVisible()
  await desk.getByRole('button', { name: 'Send again' }).click()
  await expect(answers(desk)).toHaveText([/You said: What is tea\?/])
  await expect(desk.getByText('2/2')).toBeVisible()
  await desk.getByRole('button', { name: 'Try before' }).click()
  await expect(desk.getByText('The quota is used up.').first()).toBeVisible()
  await desk.reload()
  await expect(desk.getByText('The quota is used up.').first()).toBeVisible()
  await desk.getByRole('button', { name: 'Try after' }).click()
  await expect(answers(desk)).toHaveText([/You said: What is tea\?/])
})

test('a question that waits goes into the conversation of the answer above, though that comes whole at its end', async ({
  desk,
  faults,
}) => {
  const asked: Record<string, unknown>[] = []
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const ids = newIds()
  faults.platform.script = async (seen, response) => {
    if (!seen.path.endsWith('/chat-messages')) return refuse(response, 404, { message: 'no such route' })
    const body = JSON.parse(seen.body) as Record<string, unknown>
    asked.push(body)
    await held
    const answer = {
      ...ids,
      event: 'message',
      mode: 'chat',
      message_id: `${ids.message_id.slice(0, -1)}${asked.length}`,
    }
    refuse(response, 200, { ...answer, id: answer.message_id, answer: `To ${String(body.query)}`, metadata: {} })
  }
  await desk.goto(faults.chat)
  await desk.getByRole('radiogroup', { name: 'Response mode' }).getByText('blocking').click()
  await send(desk, 'the first')
  await expect.poll(() => asked.length).toBe(1)
  await send(desk, 'the second')
  await expect(desk.getByRole('button', { name: 'Keep it back' })).toBeVisible()
  release()
  await expect(answers(desk)).toHaveText([/To the first/, /To the second/])
  await expect(desk).toHaveURL(new RegExp(`conversation=${ids.conversation_id}`))
  expect(asked[1]).toMatchObject({ query: 'the second', conversation_id: ids.conversation_id })
})

async function send(page: Page, question: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Your question' }).fill(question)
  await page.keyboard.press('Control+Enter')
}

const answers = (page: Page) => page.getByRole('log').getByRole('article', { name: 'Answer' })
const turn = (page: Page, question: string) => page.getByRole('log').getByRole('region', { name: question })
