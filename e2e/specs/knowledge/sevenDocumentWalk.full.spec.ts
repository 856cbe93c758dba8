import { Buffer } from 'node:buffer'
import type { Page } from '@playwright/test'
import { findRow, openDataset } from '#support/datasetFixtures.ts'
import { expect, test } from '#support/knowledgeFixtures.ts'
import { sampleDocx, samplePdf } from '#support/sampleFiles.ts'

const textFile = (name: string, mimeType: string, text: string) => ({ name, mimeType, buffer: Buffer.from(text) })

const SEVEN_FILES = [
  { name: 'manual.pdf', mimeType: 'application/pdf', buffer: samplePdf },
  { name: 'terms.docx', mimeType: 'application/octet-stream', buffer: sampleDocx },
  textFile('guide.md', 'text/markdown', '# Guide\n\nThe hood is cleaned once a year.\n'),
  textFile('prices.csv', 'text/csv', 'part,price\nseat,128\nhood,49\n'),
  textFile('contact.html', 'text/html', '<h1>Contact</h1><p>The desk answers on weekdays.</p>'),
  textFile('沧浪灯.txt', 'text/plain', '沧浪灯的灯座间隙必须小于 0.4 毫米。'),
  textFile('退货.md', 'text/markdown', '# 退货\n\n四十五天之内可以退货。\n'),
]

/** Counts what a mouse presses, on all pages of the tab. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() =>
    document.addEventListener(
      'pointerdown',
      () => sessionStorage.setItem('clicks', String(Number(sessionStorage.getItem('clicks') ?? 0) + 1)),
      { capture: true },
    ),
  )
  await page.reload()
  return async () =>
    page.evaluate(() => {
      const clicks = Number(sessionStorage.getItem('clicks') ?? 0)
      sessionStorage.removeItem('clicks')
      return clicks
    })
}

test('seven documents: at most 3 clicks to upload, 3 to disable ten, 4 from a citation to asking again', async ({
  knowledge,
}) => {
  const { page } = knowledge
  const dataset_id = await openDataset(knowledge, 'Seven')
  const takeClicks = await countClicks(page)

  await page.getByRole('button', { name: 'Add document' }).first().click()
  const form = page.getByRole('dialog', { name: 'Add files or text' })
  const chooser = page.waitForEvent('filechooser')
  await form.locator('[role=presentation]', { hasText: 'Drop files here' }).click()
  await (await chooser).setFiles(SEVEN_FILES)
  await form.getByRole('button', { name: 'Send 7 files' }).click()
  await expect(form.getByText('sent', { exact: true })).toHaveCount(7)
  const uploadClicks = await takeClicks()
  expect(uploadClicks, 'clicks to upload seven files').toBe(3)
  await page.keyboard.press('Escape')
  for (const { name } of SEVEN_FILES) await expect(findRow(page, name)).toContainText('available', { timeout: 60_000 })

  for (const number of [1, 2, 3])
    await knowledge.post(`/datasets/${dataset_id}/document/create-by-text`, {
      name: `Note ${number}`,
      text: `Note ${number}.`,
      indexing_technique: 'economy',
      process_rule: { mode: 'automatic' },
    })
  await page.reload()
  await expect(page.getByRole('cell', { name: 'available' })).toHaveCount(10, { timeout: 60_000 })
  await takeClicks()
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
  const bar = page.getByRole('group', { name: 'Selected documents' })
  await bar.getByRole('button', { name: 'Disable' }).click()
  await expect(page.getByRole('cell', { name: 'disabled' })).toHaveCount(10)
  expect(await takeClicks(), 'clicks to disable ten documents').toBeLessThanOrEqual(3)
  await bar.getByRole('button', { name: 'Enable' }).click()
  await expect(page.getByRole('cell', { name: 'available' })).toHaveCount(10)

  await knowledge.open('/chat')
  await page.getByRole('textbox', { name: 'Your question' }).fill('沧浪灯的灯座间隙是多少？')
  await page.keyboard.press('Control+Enter')
  const source = page.getByRole('article', { name: 'Answer' }).getByRole('link', { name: /^Source \d+: 沧浪灯/ })
  await expect(source.first()).toBeVisible({ timeout: 30_000 })
  await takeClicks()
  await source.first().click()
  await page.getByRole('button', { name: 'Edit segment' }).click()
  const editor = page.getByRole('textbox', { name: 'content' })
  await expect(editor, 'no click to begin to write').toBeFocused()
  await page.keyboard.press('Control+A')
  await page.keyboard.insertText('沧浪灯的灯座间隙必须小于 0.35 毫米。')
  await page.getByRole('button', { name: 'Save segment' }).click()
  await expect(page.getByRole('region', { name: 'Segment 1' })).toContainText('0.35')
  const origin = page.getByRole('region', { name: 'Answer that led here' })
  await origin.getByRole('button', { name: 'Ask again' }).click()
  await expect(origin.getByRole('row', { name: /This segment/ })).toContainText('rank 1')
  expect(await takeClicks(), 'clicks from a citation to the mended chunk and the new answer').toBeLessThanOrEqual(4)
})
