import type { Page } from '@playwright/test'
import { chance } from './faults/chance.ts'
import { Line } from './faults/line.ts'
import { message, newIds, refuse, stream } from './faults/platform.ts'
import { converse, Talk } from './faults/talk.ts'
import { expect, test } from './fixtures.ts'

test('live, reconnecting and catching up are said by word, one after the other', async ({ desk, faults, loupe }) => {
  const line = await Line.start(loupe.url)
  try {
    const talk = new Talk(chance(1), 20)
    converse(faults.platform, [talk])
    // What says that the page has it all is held back, so that the word before it stands long enough to be read.
    const held: (() => void)[] = []
    let holds = false
    await desk.routeWebSocket(/\/api\/live$/, (near) => {
      const far = near.connectToServer()
      far.onMessage((words) => {
        if (holds && /"live":true/.test(String(words))) held.push(() => near.send(words))
        else near.send(words)
      })
    })
    await desk.goto(faults.chat.replace(loupe.url, line.url))
    await ask(desk)
    await expect(status(desk)).toHaveText(/^liveFrame \d+ at \d+\.\d+ s\. You can leave this page\./)
    await expect(status(desk).getByRole('button', { name: 'Stop watching' })).toBeVisible()

    line.takeDown()
    await expect(status(desk)).toHaveText(
      /^reconnectingLost the line after frame \d+\. The server is still reading\. Try \d+ (in \d+ s|now)\./,
    )
    holds = true
    line.restore()
    await status(desk).getByRole('button', { name: 'Try now' }).click()
    await expect(status(desk)).toHaveText(/^catching upCatching up, at frame \d+\./)
    await expect.poll(() => held.length).toBeGreaterThan(0)
    for (const release of held) release()
    await expect(status(desk)).toHaveText(/^liveFrame \d+/)
    talk.end()
    await expect(answer(desk).getByRole('status').filter({ hasText: /^live/ })).toHaveCount(0)
  } finally {
    await line.close()
  }
})

test('an interrupted run says who cut it', async ({ desk, faults }) => {
  faults.platform.script = (seen, response) =>
    seen.path.endsWith('/chat-messages')
      ? stream(response, [message(newIds(), 'Half of an answer')], 'closes')
      : void response.writeHead(404).end()
  await desk.goto(faults.chat)
  await ask(desk)
  await expect(status(desk)).toHaveText(
    /^interruptedThe platform closed the stream after frame 1, no message_end\. What came is kept\.Send again$/,
  )
})

test('a call of which nobody knows the end is unknown, never failed', async ({ desk, faults }) => {
  faults.platform.script = (_seen, response) => refuse(response, 504, { message: 'Gateway time-out' })
  await desk.goto(faults.chat)
  await desk.getByRole('radiogroup', { name: 'Response mode' }).getByText('blocking').click()
  await ask(desk)
  await expect(status(desk)).toHaveText(
    /^unknownGateway time-out\.? It may have finished and been charged\.Send again$/,
  )
  await expect(answer(desk).getByRole('alert')).toHaveCount(0)
})

async function ask(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Your question' }).fill('Tell me.')
  await page.keyboard.press('Control+Enter')
}

const answer = (page: Page) => page.getByRole('log').getByRole('article', { name: 'Answer' }).last()
const status = (page: Page) => answer(page).getByRole('status').first()
