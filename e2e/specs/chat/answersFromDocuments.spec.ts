import type { Page } from '@playwright/test'
import { answerArticles, askQuestion } from '#support/chatPage.ts'
import { expect, test } from '#support/fixtures.ts'
import { LoupeProcess } from '#support/loupeProcess.ts'
import { calibration, manual, questions, warranty } from '#support/sampleDocuments.ts'

test('from the printed link to answers with their sources, through a reload', async ({ page }) => {
  const loupe = await new LoupeProcess().start()
  try {
    await page.goto(loupe.link)
    // The first page is Home, with labelled navigation.
    await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible()

    await page.getByRole('link', { name: 'Datasets' }).click()
    await expect(page.getByRole('link', { name: 'Loupe handbook', exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'New dataset' }).click()
    await page.getByRole('dialog').getByLabel('Name', { exact: false }).first().fill('Projectors')
    await page.getByRole('button', { name: 'Create dataset' }).click()
    await expect(page.getByRole('heading', { name: 'Projectors' })).toBeVisible()

    for (const document of [manual, warranty, calibration]) await addDocument(page, document)
    for (const { name } of [manual, warranty, calibration])
      await expect(documentRow(page, name)).toContainText(/available|completed/)

    await documentRow(page, manual.name).getByRole('link').click()
    await expect(page.getByRole('heading', { level: 1, name: manual.name })).toBeVisible()
    await page.getByRole('link', { name: 'Ask about this' }).click()
    const about = page.getByRole('region', { name: 'About this conversation' })
    await expect(about).toContainText(`About: ${manual.name} in Projectors`)
    await expect(about.getByRole('button', { name: `What is in “${manual.name}”?` })).toBeVisible()
    await about.getByRole('button', { name: 'Remove the topic' }).click()
    await expect(about).toHaveCount(0)

    for (const { ask, document, word } of questions) {
      await askQuestion(page, ask)
      await expect(answerArticles(page).last()).toContainText(word)
      await expect(firstTokenText(page)).toBeVisible()
      await expect(page.getByRole('log')).toContainText(document)
    }

    const last = 'How do I reset the counter, and what does the interlock voltage tell?'
    await askQuestion(page, last)
    // Of a long transcript only the turns in sight are in the page.
    await expect(page.getByRole('log').getByRole('region', { name: last })).toContainText('first token')
    await page.reload()
    await expect(firstTokenText(page)).toBeVisible()
    await expect(answerArticles(page).last()).toContainText(/reset|J3/)
    const runs = (await (await page.request.get(`${loupe.url}/api/runs`)).json()) as { total: number }
    expect(runs.total).toBe(questions.length + 1)
  } finally {
    // A page that is left open tries to reconnect to the stopping server, which its console reports.
    await page.close()
    await loupe.remove()
  }
})

async function addDocument(page: Page, { name, text }: { name: string; text: string }): Promise<void> {
  await page.getByRole('button', { name: 'Add document' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByText('Write or paste', { exact: true }).click()
  await form.getByLabel(/^name/i).fill(name)
  await form.getByLabel(/^text/i).fill(text)
  await form.getByRole('button', { name: 'Add document' }).click()
  await expect(documentRow(page, name)).toBeVisible()
}

const documentRow = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
/** The figures of a finished answer. */
const firstTokenText = (page: Page) => answerArticles(page).last().getByText('first token')
