import type { Page } from '@playwright/test'
import { answerSlowly, message, newIds, openStream } from './faults/platform.ts'
import { expect, test } from './fixtures.ts'

const words = Array.from({ length: 60 }, (_, index) => `word${index} 校准 `)
const whole = words.join('').trim()

test('a reload in the middle, a second tab and a long way away see the same answer', async ({
  desk,
  faults,
  context,
}) => {
  faults.platform.script = (seen, response) =>
    seen.path.endsWith('/chat-messages')
      ? answerSlowly(response, newIds(), words, 60)
      : void response.writeHead(404).end()
  await desk.goto(faults.chat)
  await send(desk, 'Tell me.')
  await expect(answer(desk)).toContainText('word5')
  const second = await context.newPage()
  await second.goto(desk.url())
  await desk.reload()
  await desk.getByRole('link', { name: 'Datasets' }).click()
  await desk.goBack()
  for (const page of [desk, second]) {
    await expect(answer(page)).toContainText('word59')
    expect(((await answer(page).locator('p').first().textContent()) ?? '').trim()).toBe(whole)
  }
  expect(faults.platform.seen.filter(({ path }) => path.endsWith('/chat-messages'))).toHaveLength(1)
})

test('Stop watching leaves the run to the server, and Watch again has it all', async ({ desk, faults }) => {
  faults.platform.script = (seen, response) =>
    seen.path.endsWith('/chat-messages')
      ? answerSlowly(response, newIds(), words, 200)
      : void response.writeHead(404).end()
  await desk.goto(faults.chat)
  await send(desk, 'Tell me.')
  await expect(answer(desk)).toContainText('word3')
  await desk.getByRole('button', { name: 'Stop watching' }).click()
  await expect(desk.getByText('You stopped watching')).toBeVisible()
  await desk.getByRole('button', { name: 'Watch again' }).click()
  await expect(answer(desk)).toContainText('word59')
  expect(faults.platform.seen.filter(({ path }) => path.endsWith('/chat-messages'))).toHaveLength(1)
})

test('a stream that the platform cuts is called interrupted and keeps what came', async ({ desk, faults }) => {
  faults.platform.script = (seen, response) => {
    if (!seen.path.endsWith('/chat-messages')) return void response.writeHead(404).end()
    openStream(response)
    response.write(message(newIds(), 'Half of an'))
    setTimeout(() => response.destroy(), 300)
  }
  await desk.goto(faults.chat)
  await send(desk, 'Tell me.')
  await expect(desk.getByText('interrupted').first()).toBeVisible()
  await expect(answer(desk)).toContainText('Half of an')
  await expect(desk.getByText('cut here')).toBeVisible()
  await expect(desk.getByRole('button', { name: 'Send again' })).toBeVisible()
})

test('a refusal is shown word for word and signs nobody out', async ({ desk, faults }) => {
  faults.platform.script = (_seen, response) =>
    void response
      .writeHead(401, { 'content-type': 'application/json' })
      .end('{"code":"unauthorized","message":"Access token is invalid","status":401}')
  await desk.goto(faults.chat)
  await send(desk, 'Tell me.')
  await expect(desk.getByText('Access token is invalid').first()).toBeVisible()
  await expect(desk).toHaveURL(/\/chat/)
  await desk.getByRole('link', { name: 'Datasets' }).click()
  await expect(desk.getByRole('heading', { name: 'Datasets' })).toBeVisible()
})

async function send(page: Page, question: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Your question' }).fill(question)
  await page.keyboard.press('Control+Enter')
}

const answer = (page: Page) => page.getByRole('log').getByRole('article', { name: 'Answer' }).last()
