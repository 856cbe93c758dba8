import type { Page } from '@playwright/test'
import { askQuestion, getAnswerText, lastAnswer } from '#support/chatPage.ts'
import { seededRandom } from '#support/seededRandom.ts'
import { FaultyNetwork } from '#support/faultyNetwork.ts'
import { answerWithStreams, countQuestions, ScriptedStream } from '#support/platforms/scriptedStream.ts'
import { expect, signIn, test } from '#support/fixtures.ts'

/** The same moments again with `SEED=...`. */
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)

test('reloaded at 50 random moments, it is what the platform sent, byte by byte', async ({
  signedInPage,
  faultyWorkspace,
}, info) => {
  const random = annotateSeed(info)
  const talk = new ScriptedStream(random, 25)
  answerWithStreams(faultyWorkspace.platform, [talk])
  await signedInPage.goto(faultyWorkspace.chat)
  await askQuestion(signedInPage)
  await expect(lastAnswer(signedInPage)).toContainText('x')
  for (let reload = 0; reload < 50; reload++) {
    await reloadPage(signedInPage)
    // The moment is what is tried: before the first byte of the app, while it catches up, while it is live.
    await wait(random() * 450)
  }
  talk.end()
  await expect.poll(() => getAnswerText(signedInPage)).toBe(talk.text)
  await expectFinished(signedInPage)
  expect(await getAnswerText(signedInPage)).toBe(talk.text)
  expect(countQuestions(faultyWorkspace.platform)).toBe(1)
})

test('its line cut 20 times at random, it lacks nothing and has nothing twice', async ({
  signedInPage,
  faultyWorkspace,
  loupe,
}, info) => {
  const random = annotateSeed(info)
  const line = await FaultyNetwork.start(loupe.url)
  try {
    const talk = new ScriptedStream(random, 20)
    answerWithStreams(faultyWorkspace.platform, [talk])
    await signedInPage.goto(faultyWorkspace.chat.replace(loupe.url, line.url))
    await askQuestion(signedInPage)
    for (let cut = 0; cut < 20; cut++) {
      const before = talk.text.length
      await expect
        .poll(async () => (await getAnswerText(signedInPage)).length, { intervals: [50] })
        .toBeGreaterThan(before)
      await wait(random() * 200)
      line.cut()
      const shown = await getAnswerText(signedInPage)
      expect(talk.text.startsWith(shown)).toBe(true)
    }
    talk.end()
    await expect.poll(() => getAnswerText(signedInPage)).toBe(talk.text)
    await expectFinished(signedInPage)
    expect(await getAnswerText(signedInPage)).toBe(talk.text)
    expect(line.cutCount).toBeGreaterThanOrEqual(20)
    expect(countQuestions(faultyWorkspace.platform)).toBe(1)
  } finally {
    await line.close()
  }
})

test('two tabs and a second browser have the same transcript', async ({
  signedInPage,
  faultyWorkspace,
  loupe,
  browser,
}, info) => {
  const random = annotateSeed(info)
  const first = new ScriptedStream(random, 20)
  const second = new ScriptedStream(random, 20, first.ids.conversation_id)
  answerWithStreams(faultyWorkspace.platform, [first, second])
  await signedInPage.goto(faultyWorkspace.chat)
  await askQuestion(signedInPage)
  await expect(signedInPage).toHaveURL(/conversation=/)
  const tab = await signedInPage.context().newPage()
  await tab.goto(signedInPage.url())
  first.end()
  await expectFinished(signedInPage)
  const otherContext = await browser.newContext()
  const other = await otherContext.newPage()
  await signIn(other, loupe)
  await other.goto(signedInPage.url())
  await expect.poll(() => getAnswerText(other)).toBe(first.text)

  await askQuestion(other, 'And then?')
  await expect(other.getByRole('log').getByRole('article', { name: 'Answer' })).toHaveCount(2)
  await second.started
  for (const page of [signedInPage, tab]) await expect.poll(() => getAnswerText(page)).toMatch(/^x/)
  second.end()
  const pages = [signedInPage, tab, other]
  for (const page of pages) {
    await expect.poll(() => getAnswerText(page)).toBe(second.text)
    await expectFinished(page)
  }
  const transcript = await getTranscript(signedInPage)
  expect(transcript).toEqual(['Tell me.', first.text, 'And then?', second.text])
  for (const page of pages) expect(await getTranscript(page)).toEqual(transcript)
  expect(countQuestions(faultyWorkspace.platform)).toBe(2)
  await otherContext.close()
})

test('a tab that is hidden, and one that the browser freezes, have it whole', async ({
  signedInPage,
  faultyWorkspace,
}, info) => {
  const talk = new ScriptedStream(annotateSeed(info), 20)
  answerWithStreams(faultyWorkspace.platform, [talk])
  // Headless Chromium hides no tab: what a hidden one lacks is taken away.
  await signedInPage.addInitScript(() => {
    const state = { hidden: false }
    Object.assign(window, { hide: (hidden: boolean) => (state.hidden = hidden) })
    Object.defineProperty(document, 'hidden', { get: () => state.hidden })
    Object.defineProperty(document, 'visibilityState', { get: () => (state.hidden ? 'hidden' : 'visible') })
    const draw = window.requestAnimationFrame.bind(window)
    window.requestAnimationFrame = (callback) => (state.hidden ? 0 : draw(callback))
  })
  await signedInPage.goto(faultyWorkspace.chat)
  await askQuestion(signedInPage)
  await expect(lastAnswer(signedInPage)).toContainText('x')
  await setHidden(signedInPage, true)
  const before = await getAnswerText(signedInPage)
  await expect.poll(() => getAnswerText(signedInPage)).not.toBe(before)
  const session = await signedInPage.context().newCDPSession(signedInPage)
  await session.send('Page.setWebLifecycleState', { state: 'frozen' })
  const length = talk.text.length
  await expect.poll(() => talk.text.length).toBeGreaterThan(length + 200)
  talk.end()
  await session.send('Page.setWebLifecycleState', { state: 'active' })
  await expect.poll(() => getAnswerText(signedInPage)).toBe(talk.text)
  await setHidden(signedInPage, false)
  await expectFinished(signedInPage)
  expect(await getAnswerText(signedInPage)).toBe(talk.text)
  expect(countQuestions(faultyWorkspace.platform)).toBe(1)
})

test('a browser that goes offline in the middle catches up when it is back', async ({
  signedInPage,
  faultyWorkspace,
  loupe,
}, info) => {
  const line = await FaultyNetwork.start(loupe.url)
  try {
    const talk = new ScriptedStream(annotateSeed(info), 20)
    answerWithStreams(faultyWorkspace.platform, [talk])
    await signedInPage.goto(faultyWorkspace.chat.replace(loupe.url, line.url))
    await askQuestion(signedInPage)
    await expect(lastAnswer(signedInPage)).toContainText('x')
    await signedInPage.context().setOffline(true)
    line.takeDown()
    await expect(connectionStatus(signedInPage)).toContainText('reconnecting')
    const length = talk.text.length
    await expect.poll(() => talk.text.length).toBeGreaterThan(length + 200)
    talk.end()
    line.restore()
    await signedInPage.context().setOffline(false)
    await expect.poll(() => getAnswerText(signedInPage)).toBe(talk.text)
    await expectFinished(signedInPage)
    expect(countQuestions(faultyWorkspace.platform)).toBe(1)
  } finally {
    await line.close()
  }
})

test('a question asked offline is not lost, and leaves only when the person sends it', async ({
  signedInPage,
  faultyWorkspace,
}, info) => {
  const talk = new ScriptedStream(annotateSeed(info), 5)
  answerWithStreams(faultyWorkspace.platform, [talk])
  await signedInPage.goto(faultyWorkspace.chat)
  await expect(signedInPage.getByRole('textbox', { name: 'Your question' })).toBeVisible()
  // What shows a turn is fetched a little after the page stands.
  const listLoadedFiles = () => performance.getEntriesByType('resource').map(({ name }) => name)
  for (const part of ['ChatTranscript', 'Inspector-', 'Markdown'])
    await expect.poll(async () => (await signedInPage.evaluate(listLoadedFiles)).join()).toContain(part)
  await signedInPage.waitForLoadState('networkidle')
  await signedInPage.context().setOffline(true)
  await askQuestion(signedInPage)
  await expect(connectionStatus(signedInPage)).toContainText('Connection lost before the first frame.')
  await signedInPage.context().setOffline(false)
  await expect(connectionStatus(signedInPage)).toContainText('not sent')
  await expect(connectionStatus(signedInPage)).toContainText(
    'The server did not receive this question. Nothing was sent to the platform.',
  )
  expect(countQuestions(faultyWorkspace.platform)).toBe(0)
  await signedInPage.getByRole('button', { name: 'Send again' }).click()
  await expect.poll(() => getAnswerText(signedInPage)).toMatch(/^x/)
  talk.end()
  await expectFinished(signedInPage)
  expect(countQuestions(faultyWorkspace.platform)).toBe(1)
})

function annotateSeed(info: { annotations: { type: string; description?: string }[] }): () => number {
  info.annotations.push({ type: 'seed', description: String(SEED) })
  console.log(`SEED=${SEED}`)
  return seededRandom(SEED)
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

const setHidden = (page: Page, hidden: boolean) =>
  page.evaluate((is) => {
    ;(window as unknown as { hide: (hidden: boolean) => void }).hide(is)
    document.dispatchEvent(new Event('visibilitychange'))
  }, hidden)

const connectionStatus = (page: Page) => lastAnswer(page).getByRole('status').first()
const expectFinished = (page: Page) =>
  expect(lastAnswer(page).getByRole('button', { name: 'Regenerate' })).toBeVisible()

/** In the very moment in which one page takes the place of another the driver has none to reload, and says so. */
async function reloadPage(signedInPage: Page): Promise<void> {
  for (;;)
    try {
      await signedInPage.reload({ waitUntil: 'commit' })
      return
    } catch (error) {
      if (!String(error).includes('Not attached to an active page')) throw error
    }
}

/** What was asked and what was said, in order. */
const getTranscript = (page: Page): Promise<string[]> =>
  page
    .getByRole('log')
    .getByRole('region')
    .evaluateAll((turns) =>
      turns.flatMap((turn) => [
        turn.getAttribute('aria-label') ?? '',
        [...turn.querySelectorAll('article p')].map(({ textContent }) => textContent).join('\n'),
      ]),
    )
