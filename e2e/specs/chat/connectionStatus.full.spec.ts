import type { Page } from '@playwright/test'
import { askQuestion, lastAnswer } from '#support/chatPage.ts'
import { seededRandom } from '#support/seededRandom.ts'
import { FaultyNetwork } from '#support/faultyNetwork.ts'
import { answerWithStreams, ScriptedStream } from '#support/platforms/scriptedStream.ts'
import { expect, test } from '#support/fixtures.ts'

test('live, reconnecting and catching up are said by word, one after the other', async ({
  signedInPage,
  faultyWorkspace,
  loupe,
}) => {
  const line = await FaultyNetwork.start(loupe.url)
  try {
    const talk = new ScriptedStream(seededRandom(1), 20)
    answerWithStreams(faultyWorkspace.platform, [talk])
    // What says that the page has it all is held back, so that the word before it stands long enough to be read.
    const held: (() => void)[] = []
    let holds = false
    await signedInPage.routeWebSocket(/\/api\/live$/, (near) => {
      const far = near.connectToServer()
      far.onMessage((words) => {
        if (holds && /"live":true/.test(String(words))) held.push(() => near.send(words))
        else near.send(words)
      })
    })
    // A retry that fails while the network comes back would go on over an event stream, where nothing is held back.
    await signedInPage.route('**/api/live/events', (route) => route.fulfill({ status: 503 }))
    await signedInPage.goto(faultyWorkspace.chat.replace(loupe.url, line.url))
    await askQuestion(signedInPage)
    await expect(connectionStatus(signedInPage)).toHaveText(/^liveFrame \d+ at \d+\.\d+ s\. You can leave this page\./)
    await expect(connectionStatus(signedInPage).getByRole('button', { name: 'Stop watching' })).toBeVisible()

    line.takeDown()
    await expect(connectionStatus(signedInPage)).toHaveText(
      /^reconnectingConnection lost after frame \d+\. The server may still be reading\. Retry \d+ (in \d+ s|now)\./,
    )
    holds = true
    // While the network is down: once it is back, the page may reconnect by itself before the click.
    await connectionStatus(signedInPage).getByRole('button', { name: 'Retry now' }).click()
    line.restore()
    await expect(connectionStatus(signedInPage)).toHaveText(/^catching upCatching up, at frame \d+\./)
    await expect.poll(() => held.length).toBeGreaterThan(0)
    for (const release of held) release()
    await expect(connectionStatus(signedInPage)).toHaveText(/^liveFrame \d+/)
    talk.end()
    await expect(lastAnswer(signedInPage).getByRole('status').filter({ hasText: /^live/ })).toHaveCount(0)
  } finally {
    await line.close()
  }
})

const connectionStatus = (page: Page) => lastAnswer(page).getByRole('status').first()
