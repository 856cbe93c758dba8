import type { Page } from '@playwright/test'
import { chance } from './faults/chance.ts'
import { converse, questionsTo, Talk } from './faults/talk.ts'
import { expect, test } from './fixtures.ts'

test('twelve tabs stream, an ordinary click is answered meanwhile, and no tab lacks a frame', async ({
  desk,
  faults,
  context,
}) => {
  test.setTimeout(300_000)
  const talks = Array.from({ length: 12 }, (_, index) => new Talk(chance(index), 250))
  converse(faults.platform, talks)
  const pages: Page[] = [desk]
  while (pages.length < talks.length) pages.push(await context.newPage())
  for (const [index, page] of pages.entries()) {
    await page.goto(faults.chat)
    await page.getByRole('textbox', { name: 'Your question' }).fill(`Question ${index}.`)
    await page.keyboard.press('Control+Enter')
    // The platform gives its talks in the order in which it is asked.
    await talks[index]?.begun
  }
  for (const page of pages) await expect(answer(page)).toContainText('x')

  const reader = pages.at(-1) as Page
  await reader.getByRole('link', { name: 'Datasets', exact: true }).click()
  const read = await reader.waitForResponse((response) => /\/api\/.*(datasets|things)/.test(response.url()))
  await read.finished()
  await expect(reader.getByRole('heading', { name: 'Datasets', exact: true })).toBeVisible()
  const lengths = talks.map(({ text }) => text.length)
  await expect.poll(() => talks.every(({ text }, index) => text.length > (lengths[index] ?? 0))).toBe(true)
  await reader.goBack()

  for (const talk of talks) talk.end()
  for (const [index, page] of pages.entries()) {
    await expect.poll(() => spoken(page)).toBe(talks[index]?.text)
    await expect(answer(page).getByRole('button', { name: 'Ask once more' })).toBeVisible()
    expect(await spoken(page)).toBe(talks[index]?.text)
  }
  expect(questionsTo(faults.platform)).toBe(12)
})

const answer = (page: Page) => page.getByRole('log').getByRole('article', { name: 'Answer' }).last()
const spoken = async (page: Page): Promise<string> => (await answer(page).locator('p').allTextContents()).join('\n')
