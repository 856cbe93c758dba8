import type { Page } from '@playwright/test'
import { askQuestion, getAnswerText, lastAnswer } from '#support/chatPage.ts'
import { seededRandom } from '#support/seededRandom.ts'
import { answerWithStreams, countQuestions, ScriptedStream } from '#support/platforms/scriptedStream.ts'
import { expect, test } from '#support/fixtures.ts'

test('twelve tabs stream, an ordinary click is answered meanwhile, and no tab lacks a frame', async ({
  signedInPage,
  faultyWorkspace,
  context,
}) => {
  const talks = Array.from({ length: 12 }, (_, index) => new ScriptedStream(seededRandom(index), 250))
  answerWithStreams(faultyWorkspace.platform, talks)
  const pages: Page[] = [signedInPage]
  while (pages.length < talks.length) pages.push(await context.newPage())
  for (const [index, page] of pages.entries()) {
    await page.goto(faultyWorkspace.chat)
    await askQuestion(page, `Question ${index}.`)
    // The platform gives its talks in the order in which it is asked.
    await talks[index]?.started
  }
  for (const page of pages) await expect(lastAnswer(page)).toContainText('x')

  const reader = pages.at(-1) as Page
  const read = reader.waitForResponse((response) => /\/api\/.*(datasets|resources)/.test(response.url()))
  await reader.getByRole('link', { name: 'Datasets', exact: true }).click()
  await (await read).finished()
  await expect(reader.getByRole('heading', { name: 'Datasets', exact: true })).toBeVisible()
  const lengths = talks.map(({ text }) => text.length)
  await expect.poll(() => talks.every(({ text }, index) => text.length > (lengths[index] ?? 0))).toBe(true)
  await reader.goBack()

  for (const talk of talks) talk.end()
  for (const [index, page] of pages.entries()) {
    await expect.poll(() => getAnswerText(page)).toBe(talks[index]?.text)
    await expect(lastAnswer(page).getByRole('button', { name: 'Regenerate' })).toBeVisible()
    expect(await getAnswerText(page)).toBe(talks[index]?.text)
  }
  expect(countQuestions(faultyWorkspace.platform)).toBe(12)
})
