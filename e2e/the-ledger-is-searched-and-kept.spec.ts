import { readFileSync } from 'node:fs'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { message, messageEnd, newIds, openStream, refuse } from './faults/platform.ts'
import { expect, signIn, test, type Workspace } from './fixtures.ts'
import { Loupe } from './loupe.ts'

const CHINESE = '黑曜石灯怎么清洗？'
const FORMULA = '=HYPERLINK("http://x.example") is what?'
const QUOTA = 'The quota of model zebra-9 is exceeded.'

test('a call is found by a Chinese phrase, an error and its filters, Back undoes each, and it is copied and exported', async ({
  desk,
  faults,
  loupe,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await asked(desk, loupe, faults)
  await desk.goto(`${loupe.url}/ledger?workspace=${faults.id}`)
  const rows = desk.getByRole('row').filter({ has: desk.getByRole('link') })
  await expect(rows).toHaveCount(3)

  const search = desk.getByRole('searchbox')
  await search.fill('黑曜石')
  await expect(rows).toHaveCount(1)
  await expect(rows.getByRole('link', { name: CHINESE })).toBeVisible()
  await expect(desk).toHaveURL(/q=/)
  await search.fill('model zebra-9')
  await expect(rows.getByRole('link', { name: 'Why did it fail?' })).toBeVisible()
  await expect(rows).toHaveCount(1)
  await search.fill('')
  await expect(rows).toHaveCount(3)
  await desk.getByRole('button', { name: 'Filter' }).click()
  await desk.getByRole('combobox', { name: 'State' }).selectOption('failed')
  await expect(rows).toHaveCount(1)
  await desk.goBack()
  await expect(rows).toHaveCount(3)
  await desk.goForward()
  await expect(rows).toHaveCount(1)

  await rows.getByRole('link').click()
  await expect(desk).toHaveURL(/call=/)
  await expect(desk.getByText(QUOTA).first()).toBeVisible()
  await expect(desk.getByRole('button', { name: /^Close/ })).toHaveCount(1)
  await desk.getByRole('button', { name: 'Copy as curl' }).first().click()
  const curl = await desk.evaluate(() => navigator.clipboard.readText())
  expect(curl).toContain('Bearer $API_KEY')
  expect(curl).toContain(`'${faults.platform.url}/chat-messages'`)
  expect(curl).not.toContain('sentinel')
  const { violations } = await new AxeBuilder({ page: desk }).analyze()
  expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([])
  await desk.getByRole('button', { name: /^Close/ }).click()

  await desk.goto(`${loupe.url}/ledger?workspace=${faults.id}`)
  const har = JSON.parse(await exported(desk, 'HTTP archive (HAR)')) as {
    log: { entries: { response: { content: { text: string } } }[] }
  }
  expect(har.log.entries).toHaveLength(3)
  expect(har.log.entries.map(({ response }) => response.content.text).join()).toContain('用软布')
  const lines = (await exported(desk, 'JSON lines')).trim().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as { title: string }).title)).toContain(CHINESE)
  const csv = await exported(desk, 'CSV')
  expect(csv).toContain(`"'=HYPERLINK(""http://x.example"") is what?"`)
  expect(csv).toContain(QUOTA)
})

test('a recorded stream is played back, and its file shows the same screens, read-only, in a second Loupe', async ({
  desk,
  faults,
  loupe,
  browser,
}) => {
  test.setTimeout(180_000)
  const run_id = await asked(desk, loupe, faults)
  await desk.goto(`${loupe.url}/runs/${run_id}?workspace=${faults.id}`)
  await playsBack(desk)
  const download = desk.waitForEvent('download')
  await desk
    .getByRole('button', { name: /^Export/ })
    .first()
    .click()
  const text = readFileSync(await (await download).path(), 'utf8')
  expect(text).not.toContain('sentinel')

  const other = await Loupe.begun({ PLATFORM: 'off' }).start()
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    let asksAnybody = false
    await signIn(page, other)
    await page.goto(`${other.url}/runs/open`)
    page.on('request', (request) => (asksAnybody ||= !request.url().startsWith(other.url)))
    await choose(page, text.slice(0, text.length / 2))
    await expect(page.getByText(/The file ends in the middle/)).toBeVisible()
    await choose(page, JSON.stringify({ log: { version: '1.2', entries: [] } }))
    await expect(page.getByText(/The file is an HTTP archive/)).toBeVisible()
    await choose(page, text.replaceAll('用软布', '<img src=https://evil.example/x onerror=document.title=1>'))
    await expect(page.getByRole('heading', { name: CHINESE })).toBeVisible()
    await expect(answer(page)).toContainText('擦拭')
    expect(await page.title()).not.toBe('1')
    await page.goto(`${other.url}/runs/open`)
    await choose(page, text)
    await expect(answer(page)).toContainText('用软布擦拭。')
    await playsBack(page)
    await page.getByRole('tab', { name: /^Frames/ }).click()
    await expect(page.getByRole('grid', { name: 'Frames' }).getByRole('row')).toHaveCount(5)
    await expect(page.getByRole('button', { name: /Send|Replay|Annotate/ })).toHaveCount(0)
    expect(asksAnybody).toBe(false)
  } finally {
    await context.close()
    await other.remove()
  }
})

test('what is kept is said, and a purge leaves nothing', async ({ desk, faults, loupe }) => {
  await asked(desk, loupe, faults)
  await desk.goto(`${loupe.url}/ledger?workspace=${faults.id}`)
  await desk.getByRole('link', { name: 'Retention' }).click()
  await expect(desk.getByText('Everything is kept: neither age nor size removes anything.')).toBeVisible()
  await desk.getByRole('textbox', { name: 'Keep for days' }).fill('30')
  await desk.getByRole('button', { name: 'Save' }).click()
  await expect(desk.getByText('Calls older than 30 days are removed.')).toBeVisible()
  await desk.reload()
  await expect(desk.getByRole('textbox', { name: 'Keep for days' })).toHaveValue('30')
  await desk.getByRole('button', { name: 'Purge' }).click()
  await desk.getByRole('button', { name: 'Purge these calls' }).click()
  await expect(desk.getByText(/3 calls removed so far/)).toBeVisible()
  await desk.goto(`${loupe.url}/ledger?workspace=${faults.id}`)
  await expect(desk.getByText('No calls yet')).toBeVisible()
})

/** Three runs: one that fails, one whose words are a formula, one in Chinese, whose id it gives. */
async function asked(desk: Page, loupe: Loupe, { platform, chatKey }: Workspace): Promise<string> {
  platform.script = (seen, response) => {
    if (!seen.path.endsWith('/chat-messages')) return void response.writeHead(404).end()
    if (seen.body.includes('fail')) return refuse(response, 400, { code: 'provider_quota_exceeded', message: QUOTA })
    const ids = newIds()
    openStream(response)
    for (const word of ['用软布', '擦拭', '。']) response.write(message(ids, word))
    response.end(messageEnd(ids, {}))
  }
  let run_id = ''
  for (const query of ['Why did it fail?', FORMULA, CHINESE]) {
    run_id = crypto.randomUUID()
    const response = await desk.request.post(`${loupe.url}/api/keys/${chatKey}/chat-messages`, {
      headers: { 'x-console': '1', 'run-id': run_id },
      data: { query, user: 'spec', inputs: {}, response_mode: 'streaming' },
    })
    await response.text()
  }
  return run_id
}

async function exported(desk: Page, format: string): Promise<string> {
  const download = desk.waitForEvent('download')
  await desk.getByRole('button', { name: 'Export' }).click()
  await desk.getByRole('menuitem', { name: format, exact: true }).click()
  const text = readFileSync(await (await download).path(), 'utf8')
  expect(text).not.toContain('sentinel')
  return text
}

/**
 * At each speed the words come again through the renderer of the answer. The frames stand still where the recording does:
 * the clock is stopped once the page has loaded, and let go when it has been seen that nothing has come yet.
 */
async function playsBack(page: Page): Promise<void> {
  const bar = page.getByRole('group', { name: 'Play the stream back' })
  const whole = page.getByText('用软布擦拭。')
  await expect(whole.first()).toBeVisible()
  let moment = Date.now()
  await page.clock.install({ time: moment })
  for (const speed of ['1×', '4×', 'At once']) {
    moment += 120_000
    await page.clock.pauseAt(moment)
    await bar.getByRole('button', { name: speed, exact: true }).click()
    await expect(bar.getByText(/^Frame 0 of 4/)).toBeVisible()
    await expect(whole).toHaveCount(0)
    await page.clock.resume()
    await expect(whole.first()).toBeVisible()
    await expect(bar.getByText(/^Frame/)).toHaveCount(0)
  }
}

const answer = (page: Page) => page.getByRole('article', { name: 'Answer' }).last()

async function choose(page: Page, text: string): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose a file' }).click()
  await (await chooser).setFiles({ name: 'run.json', mimeType: 'application/json', buffer: Buffer.from(text) })
}
