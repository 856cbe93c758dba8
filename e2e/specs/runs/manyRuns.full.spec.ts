import type { Page } from '@playwright/test'
import { findSeriousViolations } from '#support/accessibility.ts'
import {
  createAnswerIds,
  openStream,
  sendError,
  toMessageBlock,
  toMessageEndBlock,
} from '#support/platforms/scriptedPlatform.ts'
import { expect, test, type FaultyWorkspace } from '#support/fixtures.ts'
import type { LoupeProcess } from '#support/loupeProcess.ts'

const QUESTIONS = ['What is a lamp?', 'What is a pump?', 'Fail with 17', 'Fail with 18']

test('many runs are added up, sorted, grouped, tagged and compared, and the view is saved for others', async ({
  signedInPage: page,
  faultyWorkspace,
  loupe,
}) => {
  await createRuns(page, loupe, faultyWorkspace)
  await page.goto(`${loupe.url}/runs?workspace=${faultyWorkspace.id}`)
  const rows = page.getByRole('row').filter({ has: page.getByRole('link') })
  await expect(rows).toHaveCount(4)
  const totals = page.getByRole('region', { name: 'Totals of the filtered calls' })
  await expect(totals).toContainText('calls 4')
  await expect(totals).toContainText('failed 2')

  await page.getByRole('columnheader', { name: 'Duration' }).getByRole('button').click()
  await expect(page).toHaveURL(/sort=duration/)
  await expect(page.getByRole('columnheader', { name: 'Duration' })).toHaveAttribute('aria-sort', 'descending')
  await expect(rows).toHaveCount(4)

  await page.getByRole('combobox', { name: 'Group by' }).selectOption('failure')
  const group = page.getByRole('link', { name: 'The model has no quota of # left.' })
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('2')
  await group.click()
  await expect(page).toHaveURL(/error=/)
  await expect(rows).toHaveCount(2)
  await expect(rows.getByRole('link', { name: 'Fail with 17' })).toBeVisible()

  await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
  await expect(page.getByText('2 selected')).toBeVisible()
  await page.getByRole('button', { name: 'Tag', exact: true }).click()
  await page.getByRole('dialog').getByRole('combobox', { name: 'Tag name' }).fill('no quota')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Add to 2 runs' }).click()
  await expect(rows.getByText('no quota')).toHaveCount(2)

  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Save this view…' }).click()
  await page.getByRole('textbox', { name: 'Name of the view' }).fill('Out of quota')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Out of quota' })).toBeVisible()
  await page.goto(`${loupe.url}/runs?workspace=${faultyWorkspace.id}`)
  await expect(rows).toHaveCount(4)
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: /^Out of quota/ }).click()
  await expect(rows).toHaveCount(2)

  await page.goto(`${loupe.url}/runs?workspace=${faultyWorkspace.id}&tag=no+quota`)
  await expect(rows).toHaveCount(2)
  await page.getByRole('checkbox', { name: 'Select Fail with 17' }).check()
  await expect(page.getByRole('button', { name: 'Compare', exact: true })).toBeDisabled()
  await page.getByRole('checkbox', { name: 'Select Fail with 18' }).check()
  await page.getByRole('link', { name: 'Compare', exact: true }).last().click()
  await expect(page).toHaveURL(/\/runs\/[0-9a-f-]{36}\?.*with=[0-9a-f-]{36}/)
})

test('selected runs are replayed, each as a child of its original', async ({
  signedInPage: page,
  faultyWorkspace,
  loupe,
}) => {
  await createRuns(page, loupe, faultyWorkspace)
  const sentBefore = faultyWorkspace.platform.requests.filter(({ path }) => path.endsWith('/chat-messages')).length
  await page.goto(`${loupe.url}/runs?workspace=${faultyWorkspace.id}`)
  const rows = page.getByRole('row').filter({ has: page.getByRole('link') })
  for (const name of QUESTIONS.slice(0, 2)) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await page.getByRole('button', { name: 'Replay' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Replay 2 runs?')
  await dialog.getByRole('button', { name: 'Replay' }).click()
  await expect(dialog).toContainText('2 of 2 sent.')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(rows).toHaveCount(6)
  await expect(rows.getByRole('img', { name: /^Made from run/ })).toHaveCount(2)
  await expect(rows.getByText('replay', { exact: true })).toHaveCount(2)
  const sent = faultyWorkspace.platform.requests.filter(({ path }) => path.endsWith('/chat-messages'))
  expect(sent.length - sentBefore).toBe(2)
})

test('on a phone a run is two lines: its name, then state, app, duration and age', async ({
  signedInPage: page,
  faultyWorkspace,
  loupe,
}) => {
  await createRuns(page, loupe, faultyWorkspace)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${loupe.url}/runs?workspace=${faultyWorkspace.id}`)
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'Fail with 17' }) })
  await expect(row.getByText('failed').last()).toBeVisible()
  await expect(row.getByText(/^\d+(\.\d+)? s$/).first()).toBeVisible()
  await expect(row.locator('time').first()).toBeVisible()
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBe(390)
  expect(await findSeriousViolations(page)).toEqual([])
})

/** Two answered runs of the chat page and two failed ones of a script, in this order. */
async function createRuns(page: Page, loupe: LoupeProcess, { platform, chatKey }: FaultyWorkspace): Promise<void> {
  platform.script = (seen, response) => {
    if (!seen.path.endsWith('/chat-messages')) return void response.writeHead(404).end()
    const failure = /Fail with (\d+)/.exec(seen.body)?.[1]
    if (failure)
      return sendError(response, 400, { code: 'provider_quota', message: `The model has no quota of ${failure} left.` })
    const ids = createAnswerIds()
    openStream(response)
    response.write(
      toMessageBlock(ids, seen.body.includes('lamp') ? 'It is made of obsidian and iron.' : 'It moves water.'),
    )
    response.end(toMessageEndBlock(ids, {}))
  }
  for (const query of QUESTIONS) {
    const response = await page.request.post(`${loupe.url}/api/keys/${chatKey}/chat-messages`, {
      headers: {
        'x-console': '1',
        'run-id': crypto.randomUUID(),
        ...(query.startsWith('Fail') ? {} : { 'run-origin': 'chat' }),
      },
      data: { query, user: 'spec', inputs: {}, response_mode: 'streaming' },
    })
    await response.text()
  }
}
