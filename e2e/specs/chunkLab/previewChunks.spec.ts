import { sampleDocx, samplePdf } from '#support/sampleFiles.ts'
import { openDataset } from '#support/datasetFixtures.ts'
import { expectAccessible } from '#support/documentFixtures.ts'
import { expect, test } from '#support/knowledgeFixtures.ts'

const acceptedFiles = [
  { name: 'a.txt', buffer: Buffer.from('First part.\n\n更换灯泡之后必须立即重新校准。'), holds: '更换灯泡' },
  {
    name: 'a.md',
    buffer: Buffer.from('# Guide\n\n```js\nlet gap = 1\n```\n\n| a |\n| - |\n| 1 |\n'),
    holds: 'let gap = 1',
  },
  {
    name: 'a.html',
    buffer: Buffer.from('<h1>Head</h1><script>not()</script><p>A paragraph.</p>'),
    holds: 'A paragraph.',
  },
  { name: 'a.csv', buffer: Buffer.from('question,answer\nWhich gap?,0.35 mm\n'), holds: 'answer: 0.35 mm' },
  { name: 'a.pdf', buffer: samplePdf, holds: 'The lamp seat is measured cold.' },
  { name: 'a.docx', buffer: sampleDocx, holds: 'within 45 days' },
]
const rejectedFiles = [
  {
    name: 'a.exe',
    buffer: Buffer.from('MZ'),
    says: 'Files of this kind (.exe) are not read; these kinds are read: txt',
  },
  { name: 'b.pdf', buffer: Buffer.from('no pdf'), says: 'The file is named .pdf but is not one.' },
  { name: 'b.docx', buffer: Buffer.from('no docx'), says: 'The file is named .docx but is not one.' },
  { name: 'empty.txt', buffer: Buffer.from(''), says: 'The file is empty.' },
  { name: 'binary.txt', buffer: Buffer.from([0, 1, 2, 255, 0]), says: 'The file is not text.' },
  {
    name: 'open.csv',
    buffer: Buffer.from('a,b\n1,"2\n3,4\n'),
    says: 'Row 1 of the table, in line 2: A quote is not closed',
  },
  { name: 'large.txt', buffer: Buffer.alloc(31 * 1024 * 1024, 'a '), says: 'The file has more than 30 MB.' },
]

test('a text and files of each kind are cut in the lab, and two settings stand side by side', async ({ knowledge }) => {
  const { page } = knowledge
  await knowledge.open('/lab')
  await page.getByRole('textbox', { name: 'Text to split' }).fill('One part.\n\nAnother part.')
  const chunks = page.getByRole('region', { name: 'Chunks of Setting A' })
  await expect(chunks.getByRole('article')).toHaveCount(2)
  await page.getByRole('button', { name: 'Compare with another setting' }).click()
  const second = page.getByRole('region', { name: 'Setting B' })
  await second.getByLabel('separator').fill('part')
  await expect(second.getByRole('article')).toHaveCount(3)
  await second.getByLabel('max_tokens').fill('0')
  await expect(second.getByRole('alert')).toBeVisible()
  await expectAccessible(page)

  for (const { name, buffer, holds } of acceptedFiles) {
    await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/octet-stream', buffer })
    await expect(page.getByText(`Text of ${name}`)).toBeVisible()
    await expect(chunks).toContainText(holds)
    await expect(chunks).not.toContainText('not()')
  }
  for (const { name, buffer, says } of rejectedFiles) {
    await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/octet-stream', buffer })
    await expect(page.getByText(`${name} could not be read`)).toBeVisible()
    await expect(page.getByRole('alert').filter({ hasText: says })).toBeVisible()
  }
  await page.getByRole('button', { name: 'Use text instead' }).click()
  await expect(chunks.getByRole('article')).toHaveCount(2)
})

test('the settings of the lab outlive a reload, and one is taken over to a new document', async ({ knowledge }) => {
  const { page } = knowledge
  const dataset_id = await openDataset(knowledge, 'From the lab')
  await knowledge.open(`/lab?dataset=${dataset_id}`)
  await page.getByRole('textbox', { name: 'Text to split' }).fill('One part;Another part;A third.')
  await page.getByRole('button', { name: 'Compare with another setting' }).click()
  const second = page.getByRole('region', { name: 'Setting B' })
  await second.getByLabel('separator').fill(';')
  await second.getByLabel('max_tokens').fill('77')
  await expect(second.getByRole('article')).toHaveCount(3)
  await expect.poll(() => new URL(page.url()).searchParams.get('b')).toContain('[";","77"')

  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Text to split' })).toHaveValue('One part;Another part;A third.')
  await expect(second.getByLabel('max_tokens')).toHaveValue('77')
  await expect(second.getByRole('article')).toHaveCount(3)

  await expect(page.getByRole('combobox', { name: 'New document in' })).toHaveValue(dataset_id)
  await second.getByRole('button', { name: 'Use for a new document' }).click()
  await expect(page.getByRole('heading', { name: knowledge.toDatasetName('From the lab'), level: 1 })).toBeVisible()
  const form = page.getByRole('dialog', { name: 'Add files or text' })
  await expect(form.getByLabel(/^text/i)).toHaveValue('One part;Another part;A third.')
  await expect(form.getByLabel('separator')).toHaveValue(';')
  await expect(form.getByLabel('max_tokens')).toHaveValue('77')
})

test('a table of Excel in Western Europe is cut in the lab, and read again in the encoding that a person chooses', async ({
  knowledge,
}) => {
  const { page } = knowledge
  await knowledge.open('/lab')
  const buffer = Buffer.from('sep=;\r\nGr\xf6\xdfe;Preis\r\nXL;19,90\r\n', 'latin1')
  await page.locator('input[type=file]').setInputFiles({ name: 'sizes.csv', mimeType: 'text/csv', buffer })
  const chunks = page.getByRole('region', { name: 'Chunks of Setting A' })
  await expect(chunks).toContainText('Größe: XL; Preis: 19,90')
  const encoding = page.getByRole('combobox', { name: 'Encoding' })
  await expect(encoding).toHaveValue('windows-1252')
  await encoding.selectOption('windows-1251')
  await expect(chunks).toContainText('GrцЯe: XL; Preis: 19,90')
  await expectAccessible(page)
})
