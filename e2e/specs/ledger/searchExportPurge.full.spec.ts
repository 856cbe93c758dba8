import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import {
  toMessageBlock,
  toMessageEndBlock,
  createAnswerIds,
  openStream,
  sendError,
} from '#support/platforms/scriptedPlatform.ts'
import { expectAccessible } from '#support/documentFixtures.ts'
import { expect, signIn, test, type FaultyWorkspace } from '#support/fixtures.ts'
import { LoupeProcess } from '#support/loupeProcess.ts'

const CHINESE_QUESTION = '黑曜石灯怎么清洗？'

const FORMULA_QUESTION = '=HYPERLINK("http://x.example") is what?'

const QUOTA_MESSAGE = 'The quota of model zebra-9 is exceeded.'

test('a recorded stream is played back, and its file shows the same screens, read-only, in a second Loupe', async ({
  signedInPage,
  faultyWorkspace,
  loupe,
  browser,
}) => {
  const run_id = await createRuns(signedInPage, loupe, faultyWorkspace)
  await signedInPage.goto(`${loupe.url}/runs/${run_id}?workspace=${faultyWorkspace.id}`)
  await expectPlayback(signedInPage)
  const download = signedInPage.waitForEvent('download')
  await signedInPage
    .getByRole('button', { name: /^Export/ })
    .first()
    .click()
  const text = readFileSync(await (await download).path(), 'utf8')
  expect(text).not.toContain('sentinel')

  const other = await LoupeProcess.fromTemplate({ PLATFORM: 'off' }).start()
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    let asksAnybody = false
    await signIn(page, other)
    await page.goto(`${other.url}/runs/open`)
    page.on('request', (request) => (asksAnybody ||= !request.url().startsWith(other.url)))
    await chooseFile(page, text.slice(0, text.length / 2))
    await expect(page.getByText(/The file ends in the middle/)).toBeVisible()
    await chooseFile(page, JSON.stringify({ log: { version: '1.2', entries: [] } }))
    await expect(page.getByText(/The file is an HTTP archive/)).toBeVisible()
    await chooseFile(page, text.replaceAll('用软布', '<img src=https://evil.example/x onerror=document.title=1>'))
    await expect(page.getByRole('heading', { name: CHINESE_QUESTION })).toBeVisible()
    await expect(lastAnswer(page)).toContainText('擦拭')
    expect(await page.title()).not.toBe('1')
    await page.goto(`${other.url}/runs/open`)
    await chooseFile(page, text)
    await expect(lastAnswer(page)).toContainText('用软布擦拭。')
    await expectPlayback(page)
    await page.getByRole('tab', { name: /^Frames/ }).click()
    await expect(page.getByRole('grid', { name: 'Frames' }).getByRole('row')).toHaveCount(5)
    await expect(page.getByRole('button', { name: /Send|Replay|Annotate/ })).toHaveCount(0)
    expect(asksAnybody).toBe(false)
  } finally {
    await context.close()
    await other.remove()
  }
})

test('the runs of one end user are erased, and those of others stay', async ({
  signedInPage,
  faultyWorkspace,
  loupe,
}) => {
  await createRuns(signedInPage, loupe, faultyWorkspace)
  await createRuns(signedInPage, loupe, faultyWorkspace, 'ada')
  await signedInPage.goto(`${loupe.url}/ledger/retention?workspace=${faultyWorkspace.id}`)
  await signedInPage.getByRole('button', { name: 'Set to now' }).click()
  await expect(signedInPage.getByText('6 calls before that moment.')).toBeVisible()
  await signedInPage.getByRole('textbox', { name: 'End user' }).fill('ada')
  await expect(signedInPage.getByText('3 runs of ada before that moment.')).toBeVisible()
  await signedInPage.getByRole('button', { name: 'Purge' }).click()
  const confirmation = signedInPage.getByRole('dialog', { name: /^Delete all runs of the end user ada in / })
  await expect(confirmation.getByRole('list', { name: 'What is kept' })).toContainText('rows of batches')
  await expectAccessible(signedInPage)
  await confirmation.getByRole('button', { name: 'Delete the runs of ada' }).click()
  await expect(signedInPage.getByText(/3 calls deleted so far/)).toBeVisible()
  await signedInPage.goto(`${loupe.url}/ledger?workspace=${faultyWorkspace.id}`)
  await expect(signedInPage.getByRole('row').filter({ has: signedInPage.getByRole('link') })).toHaveCount(3)
})

/** Three runs: one that fails, one whose words are a formula, one in Chinese, whose id it gives. */
async function createRuns(
  signedInPage: Page,
  loupe: LoupeProcess,
  { platform, chatKey }: FaultyWorkspace,
  user = 'spec',
): Promise<string> {
  platform.script = (seen, response) => {
    if (!seen.path.endsWith('/chat-messages')) return void response.writeHead(404).end()
    if (seen.body.includes('fail'))
      return sendError(response, 400, { code: 'provider_quota_exceeded', message: QUOTA_MESSAGE })
    const ids = createAnswerIds()
    openStream(response)
    for (const word of ['用软布', '擦拭', '。']) response.write(toMessageBlock(ids, word))
    response.end(toMessageEndBlock(ids, {}))
  }
  let run_id = ''
  for (const query of ['Why did it fail?', FORMULA_QUESTION, CHINESE_QUESTION]) {
    run_id = crypto.randomUUID()
    const response = await signedInPage.request.post(`${loupe.url}/api/keys/${chatKey}/chat-messages`, {
      headers: { 'x-console': '1', 'run-id': run_id },
      data: { query, user, inputs: {}, response_mode: 'streaming' },
    })
    await response.text()
  }
  return run_id
}

/**
 * At each speed the words come again through the renderer of the answer. The frames stand still where the recording does:
 * the clock is stopped once the page has loaded, and let go when it has been seen that nothing has come yet.
 */
async function expectPlayback(page: Page): Promise<void> {
  const bar = page.getByRole('group', { name: 'Play back the stream' })
  const fullText = page.getByText('用软布擦拭。')
  await expect(fullText.first()).toBeVisible()
  let moment = Date.now()
  await page.clock.install({ time: moment })
  for (const speed of ['1×', '4×', 'At once']) {
    moment += 120_000
    await page.clock.pauseAt(moment)
    await bar.getByRole('button', { name: speed, exact: true }).click()
    await expect(bar.getByText(/^Frame 0 of 4/)).toBeVisible()
    await expect(fullText).toHaveCount(0)
    await page.clock.resume()
    await expect(fullText.first()).toBeVisible()
    await expect(bar.getByText(/^Frame/)).toHaveCount(0)
  }
}

const lastAnswer = (page: Page) => page.getByRole('article', { name: 'Answer' }).last()

async function chooseFile(page: Page, text: string): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose a file' }).click()
  await (await chooser).setFiles({ name: 'run.json', mimeType: 'application/json', buffer: Buffer.from(text) })
}
