import { startModelServer } from '#support/platforms/modelServer.ts'
import { expect, test } from '#support/fixtures.ts'
import { LoupeProcess } from '#support/loupeProcess.ts'

test('kill -9 in the middle of an answer: all that was shown is kept, and the cut run says so', async ({ page }) => {
  const words = Array.from({ length: 200 }, (_, index) => `word${index} `)
  const model = await startModelServer(words, 150)
  const loupe = await new LoupeProcess({ MODEL_BASE_URL: model.url, MODEL_NAME: 'slow' }).start()
  try {
    await page.goto(loupe.link)
    // The first page is Home, with labelled navigation.
    await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible()
    await page.getByRole('link', { name: 'Chat', exact: true }).click()
    await page.getByRole('textbox', { name: 'Your question' }).fill('What happens to a run when I close the tab?')
    await page.keyboard.press('Control+Enter')
    const answer = page.getByRole('log').getByRole('article', { name: 'Answer' }).last()
    await expect(answer).toContainText('word12')
    const shown = (await answer.locator('p').filter({ hasText: 'word0' }).last().textContent()) ?? ''
    await loupe.kill()
    await loupe.start()
    await page.reload()
    await expect(answer.getByText('interrupted')).toBeVisible()
    const kept = (await answer.locator('p').filter({ hasText: 'word0' }).last().textContent()) ?? ''
    expect(kept.startsWith(shown.replace(/cut here$/, '').trim())).toBe(true)
    await expect(answer.getByRole('button', { name: 'Send again' })).toBeVisible()

    await page.getByRole('link', { name: 'Datasets' }).click()
    await page.getByRole('link', { name: 'Loupe handbook', exact: true }).click()
    await expect(page.getByRole('row').filter({ hasText: 'What Loupe is' })).toContainText('available')
  } finally {
    // A page that is left open tries to reconnect to the stopping server, which its console reports.
    await page.close()
    await loupe.remove()
    model.close()
  }
})
