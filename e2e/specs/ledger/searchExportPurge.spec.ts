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
import { expect, test, type FaultyWorkspace } from '#support/fixtures.ts'
import type { LoupeProcess } from '#support/loupeProcess.ts'

const CHINESE_QUESTION = '黑曜石灯怎么清洗？'

const FORMULA_QUESTION = '=HYPERLINK("http://x.example") is what?'

const QUOTA_MESSAGE = 'The quota of model zebra-9 is exceeded.'

test('a call is found by a Chinese phrase, an error and its filters, Back undoes each, and it is copied and exported', async ({
  signedInPage,
  faultyWorkspace,
  loupe,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await createRuns(signedInPage, loupe, faultyWorkspace)
  await signedInPage.goto(`${loupe.url}/ledger?workspace=${faultyWorkspace.id}`)
  const rows = signedInPage.getByRole('row').filter({ has: signedInPage.getByRole('link') })
  await expect(rows).toHaveCount(3)

  const search = signedInPage.getByRole('searchbox')
  await search.fill('黑曜石')
  await expect(rows).toHaveCount(1)
  await expect(rows.getByRole('link', { name: CHINESE_QUESTION })).toBeVisible()
  await expect(signedInPage).toHaveURL(/q=/)
  await search.fill('model zebra-9')
  await expect(rows.getByRole('link', { name: 'Why did it fail?' })).toBeVisible()
  await expect(rows).toHaveCount(1)
  await search.fill('')
  await expect(rows).toHaveCount(3)
  await signedInPage.getByRole('button', { name: 'Filter' }).click()
  await signedInPage.getByRole('combobox', { name: 'State' }).selectOption('failed')
  await expect(rows).toHaveCount(1)
  await signedInPage.goBack()
  await expect(rows).toHaveCount(3)
  await signedInPage.goForward()
  await expect(rows).toHaveCount(1)

  await rows.getByRole('link').click()
  await expect(signedInPage).toHaveURL(/call=/)
  await expect(signedInPage.getByText(QUOTA_MESSAGE).first()).toBeVisible()
  await expect(signedInPage.getByRole('button', { name: /^Close/ })).toHaveCount(1)
  await signedInPage.getByRole('button', { name: 'Copy as curl' }).first().click()
  await expect(signedInPage.getByText('Copied. The key is read from $API_KEY.').first()).toBeVisible()
  const curl = await signedInPage.evaluate(() => navigator.clipboard.readText())
  expect(curl).toContain('Bearer $API_KEY')
  expect(curl).toContain(`'${faultyWorkspace.platform.url}/chat-messages'`)
  expect(curl).not.toContain('sentinel')
  await expectAccessible(signedInPage)
  await signedInPage.getByRole('button', { name: /^Close/ }).click()

  await signedInPage.goto(`${loupe.url}/ledger?workspace=${faultyWorkspace.id}`)
  const har = JSON.parse(await exportLedger(signedInPage, 'HTTP archive (HAR)')) as {
    log: { entries: { response: { content: { text: string } } }[] }
  }
  expect(har.log.entries).toHaveLength(3)
  expect(har.log.entries.map(({ response }) => response.content.text).join()).toContain('用软布')
  const lines = (await exportLedger(signedInPage, 'JSON lines')).trim().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as { title: string }).title)).toContain(CHINESE_QUESTION)
  const csv = await exportLedger(signedInPage, 'CSV')
  expect(csv).toContain(`"'=HYPERLINK(""http://x.example"") is what?"`)
  expect(csv).toContain(QUOTA_MESSAGE)
})

test('what is kept is said, and a purge leaves nothing', async ({ signedInPage, faultyWorkspace, loupe }) => {
  await createRuns(signedInPage, loupe, faultyWorkspace)
  await signedInPage.goto(`${loupe.url}/ledger?workspace=${faultyWorkspace.id}`)
  await signedInPage.getByRole('link', { name: 'Retention' }).click()
  await expect(signedInPage.getByText('Calls are kept forever: no limit by age or size.')).toBeVisible()
  await signedInPage.getByRole('textbox', { name: 'Maximum age (days)' }).fill('30')
  await signedInPage.getByRole('button', { name: 'Save' }).click()
  await expect(signedInPage.getByText('Calls older than 30 days are deleted.')).toBeVisible()
  await signedInPage.reload()
  await expect(signedInPage.getByRole('textbox', { name: 'Maximum age (days)' })).toHaveValue('30')
  // Nothing is proposed: without a date there is nothing to delete.
  const before = signedInPage.getByRole('textbox', { name: 'Calls before' })
  await expect(before).toHaveValue('')
  await expect(signedInPage.getByRole('button', { name: 'Purge' })).toBeDisabled()
  await before.fill('11/22/2026')
  await expect(signedInPage.getByText('Write a date as 22 Nov 2026')).toBeVisible()
  await before.fill('22 Nov 2020')
  await expect(signedInPage.getByText('No calls before that moment.')).toBeVisible()
  await expect(signedInPage.getByRole('button', { name: 'Purge' })).toBeDisabled()
  await signedInPage.getByRole('button', { name: 'Set to now' }).click()
  await expect(signedInPage.getByText('3 calls before that moment.')).toBeVisible()
  const endUser = signedInPage.getByRole('textbox', { name: 'End user' })
  await endUser.fill('x'.repeat(256))
  await expect(signedInPage.getByText('An end user has at most 255 characters.')).toBeVisible()
  await endUser.fill('nobody')
  await expect(signedInPage.getByText('No runs of nobody before that moment.')).toBeVisible()
  await expect(signedInPage.getByRole('button', { name: 'Purge' })).toBeDisabled()
  await endUser.fill('')
  await signedInPage.getByRole('button', { name: 'Purge' }).click()
  const confirmation = signedInPage.getByRole('dialog')
  await expect(confirmation.getByRole('list', { name: 'What is lost' })).toContainText('3 calls before that moment.')
  await expect(confirmation.getByRole('list', { name: 'What is kept' })).toContainText(
    'Nothing is deleted on the platform.',
  )
  await expect(confirmation.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await confirmation.getByRole('button', { name: 'Delete these calls' }).click()
  await expect(signedInPage.getByText(/3 calls deleted so far/)).toBeVisible()
  await signedInPage.goto(`${loupe.url}/ledger?workspace=${faultyWorkspace.id}`)
  await expect(signedInPage.getByText('No calls yet')).toBeVisible()
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

async function exportLedger(desk: Page, format: string): Promise<string> {
  const download = desk.waitForEvent('download')
  await desk.getByRole('button', { name: 'Export' }).click()
  await desk.getByRole('menuitem', { name: format, exact: true }).click()
  const text = readFileSync(await (await download).path(), 'utf8')
  expect(text).not.toContain('sentinel')
  return text
}
