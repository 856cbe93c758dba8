import { readFile } from 'node:fs/promises'
import type { Download, Locator, Page } from '@playwright/test'
import { expectAccessible } from '#support/documentFixtures.ts'
import { addFormulaDocument, openDataset, findRow, openTextForm } from '#support/datasetFixtures.ts'
import { sampleDocx, samplePdf } from '#support/sampleFiles.ts'
import { expect, PLATFORM_VARIANTS, test } from '#support/knowledgeFixtures.ts'

for (const offered of PLATFORM_VARIANTS)
  test.describe(offered, () => {
    test.use({ platformVariant: offered })

    test('a dataset is created and set with every field, and what the platform changed is told', async ({
      knowledge,
    }) => {
      const { page } = knowledge
      const name = knowledge.toDatasetName('Projectors')
      await knowledge.open('/datasets')
      await page.getByRole('button', { name: 'New dataset' }).first().click()
      const form = page.getByRole('dialog')
      await form.getByLabel(/^name/i).fill('n'.repeat(41))
      await form.getByLabel('description').fill('Kept through a reload')
      await form.getByLabel('Provider', { exact: true }).selectOption('external')
      await form.getByRole('button', { name: 'Create dataset' }).click()
      await expect(form.getByText('Must have at most 40 characters.')).toBeVisible()
      await expect(form.getByText('Is required where the provider is external.')).toHaveCount(2)

      await expect.poll(() => page.evaluate(() => Object.values(sessionStorage).join())).toContain('Kept through')
      await page.reload()
      await page.getByRole('button', { name: 'New dataset' }).first().click()
      await expect(form.getByLabel('description')).toHaveValue('Kept through a reload')
      await form.getByLabel(/^name/i).fill(name)
      await form.getByLabel('Provider', { exact: true }).selectOption('vendor')
      await form.getByRole('button', { name: 'Create dataset' }).click()
      await expect(page.getByRole('heading', { name })).toBeVisible()

      await page.getByRole('link', { name: 'Settings' }).click()
      await page.getByLabel('top_k').fill('0')
      await page.getByLabel('indexing_technique').selectOption('economy')
      await page.getByLabel('permission').selectOption('partial_members')
      await page.getByRole('textbox', { name: /weights/ }).fill('0.2')
      // Every other method finds nothing in an economy dataset.
      await expect(page.getByLabel('search_method')).toHaveValue('keyword_search')
      await page.getByRole('button', { name: 'Save settings' }).click()
      await expect(page.getByText('Must be at least 1.')).toBeVisible()
      await expect(page.getByText(/Must have at least 1 member/)).toBeVisible()

      await page.getByRole('link', { name: 'Datasets' }).first().click()
      await page.getByRole('button', { name: 'Stay' }).click()
      await page.getByLabel('top_k').fill('7')
      await page.getByRole('combobox', { name: 'partial_member_list' }).pressSequentially('mira ')
      await page.getByRole('button', { name: 'Save settings' }).click()
      const saved = page.getByRole('status', { name: 'Saved changes' })
      await expect(saved).toContainText('permission')
      await expect(saved).toContainText('retrieval_model')
      await page.reload()
      await expect(page.getByLabel('top_k')).toHaveValue('7')
      await expect(page.getByText('mira')).toBeVisible()
      if (!knowledge.hasOptionalOperations) await expectAccessible(page)
      await expect(page.getByRole('button', { name: 'Delete', exact: true })).toHaveCount(
        knowledge.hasOptionalOperations ? 1 : 0,
      )
    })

    test('a text is added with its faults said at the fields, and is updated after a diff', async ({ knowledge }) => {
      const { page } = knowledge
      await openDataset(knowledge, 'Texts')
      const form = await openTextForm(knowledge)
      await form.getByRole('button', { name: 'Add document' }).click()
      await expect(form.getByText('Must have at least 1 character.')).toHaveCount(2)
      await form.getByLabel(/^name/i).fill('Manual')
      await form.getByLabel(/^text/i).fill('The gap.*stays small.*The seat is cold.')
      // The form for files stays beside it, hidden.
      await form
        .getByLabel(/\bmode$/)
        .filter({ visible: true })
        .selectOption('custom')
      await form.getByLabel('separator').fill('.*')
      await form.getByLabel('max_tokens').fill('0')
      await form.getByRole('button', { name: 'Add document' }).click()
      await expect(form.getByText('Must be at least 1.')).toBeVisible()
      await form.getByLabel('max_tokens').fill('40')
      await form.getByRole('button', { name: 'Add document' }).click()
      await expect(form.getByText('Must be less than max_tokens, which is 40.')).toBeVisible()
      await form.getByLabel('chunk_overlap').fill('0')
      await form.getByLabel('max_tokens').fill('40000')
      await form.getByRole('button', { name: 'Add document' }).click()
      await expect(form.getByRole('alert')).toContainText('refused')
      await expect(form.getByLabel(/^text/i)).toHaveValue('The gap.*stays small.*The seat is cold.')

      await form.getByLabel('max_tokens').fill('50')
      await expect.poll(() => page.evaluate(() => Object.values(sessionStorage).join())).toContain('"max_tokens":"50"')
      await page.reload()
      await expect(form.getByLabel('separator')).toHaveValue('.*')
      await openChunkLab(form)
      await expect(form.getByText('split in')).toBeVisible()
      await form.getByRole('button', { name: 'Add document' }).click()
      await expect(findRow(page, 'Manual')).toContainText('available')
      // The separator was literal: three parts, as the lab had it.
      const counts = page.getByRole('table', { name: 'Counts of Manual' })
      await expect(counts.getByRole('row', { name: /^segments/ })).toHaveText(
        knowledge.hasOptionalOperations ? 'segments33' : 'segments3not given',
      )
      await expect(counts.getByRole('row', { name: /^Words word_count/ })).toHaveText('Words word_count88')
      await findRow(page, 'Manual').getByRole('link').click()
      await expect(page.getByText('estimated 3')).toBeVisible()
      await page.goBack()

      await page.getByRole('button', { name: 'More for Manual' }).click()
      await page.getByRole('menuitem', { name: 'Update by text' }).click()
      await expect(form.getByLabel(/^text/i)).toHaveValue('The gap.*stays small.*The seat is cold.')
      await form.getByLabel(/^text/i).fill('The gap.*stays small.*The seat is warm.')
      await expect(form.getByRole('group', { name: 'Changes' }).locator('ins')).toContainText('warm')
      await expect(form.getByText(/No chunks were edited/)).toBeVisible()
      await openChunkLab(form)
      const tried = form.getByRole('region', { name: 'Setting A' })
      await tried.getByLabel('separator').fill('small')
      await expect(tried.getByText('Counted by the platform at the last indexing')).toBeVisible()
      await tried.getByRole('button', { name: 'Use this setting' }).click()
      // The lab has a mode for each setting as well.
      await expect(form.getByRole('group', { name: 'Chunking rule' }).getByLabel(/\bmode$/)).toHaveValue('custom')
      await expect(tried.getByText('split in')).toBeVisible()
      await expect(tried.getByRole('article')).toHaveCount(2)
      await form.getByRole('button', { name: 'Update document' }).click()
      await expect(form).toBeHidden()
      await expect(findRow(page, 'Manual')).toContainText('available')
      await expect(counts.getByRole('row', { name: /^segments/ })).toHaveText(
        knowledge.hasOptionalOperations ? 'segments22' : 'segments2not given',
      )
    })

    test('files of every kind arrive, and what was found in them can be taken out as a file', async ({ knowledge }) => {
      const { page } = knowledge
      const dataset_id = await openDataset(knowledge, 'Files')
      await addFormulaDocument(knowledge, dataset_id)
      const form = page.getByRole('dialog')
      const files = listSampleFiles()
      if (knowledge.hasOptionalOperations) {
        await page.getByRole('button', { name: 'Add document' }).first().click()
        await form.locator('input[type=file]').setInputFiles([...files, unsupportedFile])
        await expect(form.getByText(/not support exe\./)).toBeVisible()
        await openChunkLab(form)
        await expect(form.getByText('Text of manual.pdf')).toBeVisible()
        await expect(form.getByText('split in')).toBeVisible()
        await form.getByRole('button', { name: `Send ${files.length} files` }).click()
        await expect(form.getByText('sent', { exact: true })).toHaveCount(files.length)
        await form.getByRole('button', { name: 'Send anyway' }).click()
        await expect(form.getByRole('alert')).toContainText('.exe')
        await form.getByRole('button', { name: 'Close' }).first().click()
        for (const { name } of files) await expect(findRow(page, name)).toContainText('available', { timeout: 120_000 })
        await expect(page.getByRole('table', { name: 'Counts of manual.pdf' })).toContainText('segments11')
      } else {
        await expect(page.getByRole('button', { name: 'Add document' })).toBeVisible()
        for (const file of files) {
          await page.getByRole('button', { name: /^More for/ }).click()
          await page.getByRole('menuitem', { name: 'Update by file' }).click()
          await form.locator('input[type=file]').setInputFiles([file])
          // The document keeps its name by default.
          await expect(form.getByLabel(/^name/i)).not.toHaveValue('')
          await form.getByLabel(/^name/i).fill(file.name)
          if (file === files[0]) {
            await openChunkLab(form)
            await expect(form.getByText('split in')).toBeVisible()
          }
          await form.getByRole('button', { name: /^(Update document|Send when)/ }).click()
          await expect(form).toBeHidden()
          await expect(findRow(page, file.name)).toContainText('available', { timeout: 120_000 })
          // What the lab had not seen has no estimate, and none of the file before is taken for it.
          await expect(page.getByRole('table', { name: `Counts of ${file.name}` })).toHaveCount(
            file === files[0] ? 1 : 0,
          )
        }
      }

      await page.evaluate(() => Reflect.deleteProperty(window, 'showSaveFilePicker'))
      await page.getByRole('button', { name: 'Export', exact: true }).click()
      await form.getByLabel('Format').selectOption('csv')
      await expect(form).toContainText(knowledge.hasOptionalOperations ? 'Segments are loaded' : 'cannot list segments')
      const csv = await downloadText(page, () => form.getByRole('button', { name: 'Export', exact: true }).click())
      expect(csv).toContain('document_name')
      expect(csv).not.toMatch(/(^|,|")[=@](?!,)\w/m)
      await expect(form.getByRole('status')).toContainText('Done.')
      await form.getByLabel('Format').selectOption('jsonl')
      const jsonl = await downloadText(page, () => form.getByRole('button', { name: 'Export', exact: true }).click())
      const rows = jsonl
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { kind: string; content: string | null })
      expect(rows.filter(({ kind }) => kind === 'document').length).toBe(
        knowledge.hasOptionalOperations ? files.length + 1 : 1,
      )
      expect(rows.map(({ content }) => content).join()).toContain(knowledge.hasOptionalOperations ? '校准' : '')
    })

    test('a dataset that is gone under the open page is said, and nothing typed is lost', async ({ knowledge }) => {
      const { page } = knowledge
      const dataset_id = await openDataset(knowledge, 'Gone')
      const form = await openTextForm(knowledge)
      await form.getByLabel(/^name/i).fill('Late')
      await form.getByLabel(/^text/i).fill('Too late.')
      const removed = await page.request.delete(`${knowledge.platform.url}/datasets/${dataset_id}`, {
        headers: { authorization: `Bearer ${knowledge.platform.key}` },
      })
      expect(removed.ok()).toBe(true)
      await form.getByRole('button', { name: 'Add document' }).click()
      await expect(form.getByRole('alert')).toContainText('The platform refused to add the document.')
      await expect(form.getByLabel(/^text/i)).toHaveValue('Too late.')
      await knowledge.open(`/datasets/${dataset_id}/settings`)
      await page.getByLabel('description').fill('Too late as well')
      await page.getByRole('button', { name: 'Save settings' }).click()
      await expect(page.getByRole('alert').filter({ hasText: 'save the settings' })).toBeInViewport()
      await page.reload()
      await expect(page.getByLabel('description'), 'a draft survives a reload').toHaveValue('Too late as well')
      await knowledge.open(`/datasets/${dataset_id}`)
      await page.reload()
      await expect(page.getByRole('alert').first()).toContainText('The platform refused')
      await expect(page.getByRole('link', { name: 'Go to Datasets' })).toBeVisible()
    })
  })

const unsupportedFile = { name: 'tool.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('MZ') }

const listSampleFiles = () => [
  { name: 'manual.pdf', mimeType: 'application/pdf', buffer: samplePdf },
  {
    name: 'terms.docx',
    mimeType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    buffer: sampleDocx,
  },
  { name: 'questions.csv', mimeType: 'text/csv', buffer: Buffer.from('question,answer\nWhich gap?,0.35 mm\n') },
  {
    name: 'guide.md',
    mimeType: 'text/markdown',
    buffer: Buffer.from('# Guide\n\n```js\nlet gap = 0.35\n```\n\n| part | price |\n| --- | --- |\n| seat | 128 |\n'),
  },
  {
    name: '校准手册.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('更换灯泡之后必须立即重新校准。灯座间隙应小于 0.35 毫米。'),
  },
  {
    name: 'large.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('A paragraph of a long text, with some words in it.\n\n'.repeat(2_000)),
  },
]

async function downloadText(page: Page, act: () => Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()])
  return readFile(await (download as Download).path(), 'utf8')
}

/** The lab that is on the screen: the form that is put away has one too. */
const openChunkLab = (form: Locator) => form.getByText('Chunk lab preview').filter({ visible: true }).click()
