import type { Page } from '@playwright/test'

export async function askQuestion(page: Page, question = 'Tell me.'): Promise<void> {
  await page.getByRole('textbox', { name: 'Your question' }).fill(question)
  await page.keyboard.press('Control+Enter')
}

export const answerArticles = (page: Page) => page.getByRole('log').getByRole('article', { name: 'Answer' })

export const lastAnswer = (page: Page) => answerArticles(page).last()

/** The words of the last answer as they stand there. */
export const getAnswerText = async (page: Page): Promise<string> =>
  (await lastAnswer(page).locator('p').allTextContents()).join('\n')
