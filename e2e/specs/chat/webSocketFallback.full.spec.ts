import type { Page } from '@playwright/test'
import { askQuestion, getAnswerText, lastAnswer } from '#support/chatPage.ts'
import { seededRandom } from '#support/seededRandom.ts'
import { FaultyNetwork, type UpgradeMode } from '#support/faultyNetwork.ts'
import { answerWithStreams, countQuestions, ScriptedStream } from '#support/platforms/scriptedStream.ts'
import { expect, test } from '#support/fixtures.ts'

const EVENT_STREAM_NOTE = 'Received as an event stream: WebSockets do not work here.'

test('a page behind a proxy that refuses upgrades follows a run, and returns to the WebSocket once it works', async ({
  signedInPage,
  faultyWorkspace,
  loupe,
}) => {
  const line = await FaultyNetwork.start(loupe.url)
  try {
    line.upgrades = 'refuse'
    const first = new ScriptedStream(seededRandom(1), 20)
    const second = new ScriptedStream(seededRandom(2), 20, first.ids.conversation_id)
    answerWithStreams(faultyWorkspace.platform, [first, second])
    const streamRequests: string[] = []
    signedInPage.on('request', (request) => {
      if (request.url().endsWith('/api/live/events')) streamRequests.push(request.method())
    })
    await signedInPage.goto(faultyWorkspace.chat.replace(loupe.url, line.url))
    await askQuestion(signedInPage)
    await expect(connectionStatus(signedInPage)).toContainText(EVENT_STREAM_NOTE)
    await expect(connectionStatus(signedInPage)).toContainText(/^liveFrame \d+ at/)
    first.end()
    await expect.poll(() => getAnswerText(signedInPage)).toBe(first.text)
    await expect(connectionStatus(signedInPage)).toHaveCount(0)
    expect(streamRequests.length).toBeGreaterThan(0)

    await askQuestion(signedInPage)
    await expect(connectionStatus(signedInPage)).toContainText(EVENT_STREAM_NOTE)
    line.upgrades = 'pass'
    await expect(connectionStatus(signedInPage)).not.toContainText(EVENT_STREAM_NOTE)
    const requestsBefore = streamRequests.length
    const shown = (await getAnswerText(signedInPage)).length
    await expect.poll(async () => (await getAnswerText(signedInPage)).length).toBeGreaterThan(shown)
    second.end()
    await expect.poll(() => getAnswerText(signedInPage)).toBe(second.text)
    expect(streamRequests.length).toBe(requestsBefore)
    expect(countQuestions(faultyWorkspace.platform)).toBe(2)
  } finally {
    await line.close()
  }
})

for (const upgrades of ['swallow_upgrade', 'swallow_messages'] satisfies UpgradeMode[])
  test(`a page behind a proxy that does this with WebSockets follows a run to its end: ${upgrades}`, async ({
    signedInPage,
    faultyWorkspace,
    loupe,
  }) => {
    const line = await FaultyNetwork.start(loupe.url)
    try {
      line.upgrades = upgrades
      const talk = new ScriptedStream(seededRandom(3), 20)
      answerWithStreams(faultyWorkspace.platform, [talk])
      await signedInPage.goto(faultyWorkspace.chat.replace(loupe.url, line.url))
      await askQuestion(signedInPage)
      await expect(connectionStatus(signedInPage)).toContainText(EVENT_STREAM_NOTE)
      talk.end()
      await expect.poll(() => getAnswerText(signedInPage)).toBe(talk.text)
      await expect(connectionStatus(signedInPage)).toHaveCount(0)
    } finally {
      await line.close()
    }
  })

const connectionStatus = (page: Page) => lastAnswer(page).getByRole('status').filter({ hasText: /^live/ })
