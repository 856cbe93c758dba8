import type { Page } from '@playwright/test'
import { expectAccessible } from '#support/documentFixtures.ts'
import { expect, test } from '#support/fixtures.ts'
import type { LoupeProcess } from '#support/loupeProcess.ts'
import { createJsonSender } from '#support/postJson.ts'

/** A suite of a chat app without cases. */
async function createSuite(page: Page, loupe: LoupeProcess, name: string): Promise<string> {
  const reply = await page.request.get(`${loupe.url}/api/workspaces`)
  const { data } = (await reply.json()) as { data: { id: string; keys: { id: string; kind: string }[] }[] }
  const workspace = data[0]
  const about = workspace?.keys.find(({ kind }) => kind === 'chat')?.id
  const postJson = createJsonSender(page.request, loupe.url)
  return (await postJson('/api/suites', { workspace: workspace?.id, name, target: 'chat', about })).id
}

const CSV = `question,city,__expected,__description,__threshold
"How long may
I return it?",Rome,contains: 30 days,Returns,0.5
When does it come?,Rome,javascript: output.length,,
What is Loupe?,Paris,icontains: loupe,,
`

test('cases come from a CSV file: what becomes of it is shown first, and nothing is added before it is confirmed', async ({
  signedInPage: page,
  loupe,
}) => {
  const suite = await createSuite(page, loupe, 'Imported')
  await page.goto(`${loupe.url}/suites/${suite}`)
  await page.getByRole('button', { name: 'Import cases' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import cases' })
  await expect(dialog.getByRole('button', { name: 'Add 0 cases' })).toBeDisabled()
  await expectAccessible(page)
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'faq.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) })

  await expect(dialog).toContainText('faq.csv 3 rows: 2 become cases')
  await expect(dialog.getByRole('list', { name: /^1 problem/ })).toContainText(
    'line 4, __expected The check javascript does not exist here.',
  )
  const columns = dialog.getByRole('table', { name: 'Column mapping' })
  await expect(columns.getByRole('row', { name: /^question/ })).toContainText('the question')
  await expect(columns.getByRole('row', { name: /^city/ })).toContainText('an input of the app')
  await expect(columns.getByRole('row', { name: /^__threshold/ })).toContainText('ignored')
  const first = dialog.getByRole('table', { name: 'The first cases' })
  await expect(first.getByRole('row', { name: /Returns/ })).toContainText('contains')
  await expectAccessible(page)
  const read = await page.request.get(`${loupe.url}/api/suites/${suite}`)
  expect(await read.json()).toMatchObject({ cases: 0 })

  await dialog.getByRole('button', { name: 'Add 2 cases' }).click()
  await expect(dialog.getByText('2 cases were added.')).toBeVisible()
  await dialog.locator('button', { hasText: 'Close' }).click()
  const cases = page.getByRole('table', { name: 'Cases' })
  await expect(cases.getByRole('row', { name: /Returns/ })).toBeVisible()
  await expect(cases.getByRole('row', { name: /What is Loupe/ })).toBeVisible()

  // The same rows again, pasted as JSON Lines beside a new one: nothing is twice.
  await page.getByRole('button', { name: 'Import cases' }).click()
  await dialog.getByRole('textbox', { name: 'Or paste the rows' }).fill(
    [
      { input: { question: 'What is a run?' }, expectedOutput: 'One generating call.', metadata: { topic: 'runs' } },
      { input: { question: 'What is a run?' }, expectedOutput: 'One generating call.' },
    ]
      .map((one) => JSON.stringify(one))
      .join('\n'),
  )
  await dialog.getByRole('button', { name: 'Read the rows' }).click()
  await expect(dialog).toContainText('2 cases have no check, and the suite has none')
  await dialog.getByRole('button', { name: 'Add 2 cases' }).click()
  await expect(dialog.getByText('1 case was added. 1 already existed.')).toBeVisible()

  // A table of Excel in Western Europe, which is read again in the encoding that a person chooses.
  await dialog.locator('button', { hasText: 'Close' }).click()
  await page.getByRole('button', { name: 'Import cases' }).click()
  await dialog.locator('input[type=file]').setInputFiles({
    name: 'cities.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('sep=;\r\nquestion;city\r\nWie gro\xdf ist M\xfcnchen?;Bayern\r\n', 'latin1'),
  })
  const encoding = dialog.getByRole('combobox', { name: 'Encoding' })
  await expect(encoding).toHaveValue('windows-1252')
  await expect(first.getByRole('row', { name: /Wie groß ist München/ })).toBeVisible()
  await encoding.selectOption('windows-1251')
  await expect(first.getByRole('row', { name: /Wie groЯ ist Mьnchen/ })).toBeVisible()
  await expectAccessible(page)
})
