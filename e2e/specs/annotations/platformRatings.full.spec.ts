import { findSeriousViolations } from '#support/accessibility.ts'
import { readAppKeys } from '#support/appKeys.ts'
import { expect, test } from '#support/fixtures.ts'

test('ratings of end users at the platform are listed once, beside those given here, and become annotations', async ({
  signedInPage: page,
  loupe,
}) => {
  // Another client of the platform: its messages are not in the ledger.
  const headers = { authorization: `Bearer ${readAppKeys(loupe).chat}` }
  const post = async (path: string, data: object) => {
    const response = await page.request.post(`${loupe.platform}${path}`, { headers, data })
    expect(response.status(), path).toBe(200)
    return (await response.json()) as { message_id: string }
  }
  const ask = { query: 'What is a frame?', user: 'visitor', inputs: {}, response_mode: 'blocking' }
  const { message_id } = await post('/chat-messages', ask)
  const comment = 'It does not say what a frame is.'
  await post(`/messages/${message_id}/feedbacks`, { rating: 'dislike', content: comment, user: 'visitor' })

  await page.goto(`${loupe.url}/chat`)
  await page.getByRole('textbox', { name: 'Your question' }).fill('What is Loupe?')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('button', { name: 'Annotate' })).toBeVisible()
  const rated = page.waitForResponse((response) => response.url().endsWith('/feedbacks'))
  await page.getByRole('button', { name: 'Like', exact: true }).click()
  expect((await rated).status()).toBe(200)

  await page.goto(`${loupe.url}/runs`)
  const runs = page.getByRole('row').filter({ has: page.getByRole('link') })
  await expect(runs.filter({ hasText: 'What is Loupe?' }).getByTitle(/^Rated by admin, /)).toHaveText('Like')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('combobox', { name: 'Rating' }).selectOption('Dislike')
  await expect(page.getByText('No runs with these filters.')).toBeVisible()
  await page.getByRole('combobox', { name: 'Rating' }).selectOption('Like')
  await expect(runs).toHaveCount(1)

  await page.goto(`${loupe.url}/annotations?view=review`)
  await page.getByText('Platform ratings', { exact: true }).click()
  const list = page.getByRole('list', { name: 'Platform ratings' })
  const rows = list.locator(':scope > li')
  await expect(rows).toHaveCount(2)
  await expect(rows.first()).toContainText('rated here')
  await expect(rows.first().getByRole('link', { name: 'What is Loupe?' })).toHaveAttribute('href', /\/runs\//)
  const fromPlatform = rows.nth(1)
  await expect(fromPlatform).toContainText('Rated down')
  await expect(fromPlatform).toContainText('rated at the platform by an end user')
  await expect(fromPlatform).toContainText(comment)
  await expect(fromPlatform.getByTitle(message_id)).toBeVisible()
  expect(await findSeriousViolations(page)).toEqual([])

  await rows.first().getByRole('button', { name: 'Make a test case' }).click()
  const drawer = page.getByRole('dialog', { name: 'Make a test case' })
  await expect(drawer.getByRole('textbox', { name: 'Question', exact: true })).toHaveValue('What is Loupe?')
  await drawer.getByRole('button', { name: 'Add case' }).click()
  await expect(drawer.getByText('The case was added.')).toBeVisible()
  await drawer.getByRole('button', { name: 'Close' }).last().click()
  await expect(drawer).toBeHidden()

  await fromPlatform.getByRole('button', { name: 'Annotate' }).click()
  const sheet = page.getByRole('dialog', { name: 'New annotation' })
  await expect(sheet.getByRole('textbox', { name: 'question' })).toHaveValue('What is a frame?')
  await expect(sheet.getByRole('textbox', { name: 'answer' })).not.toHaveValue('')
  await sheet.getByRole('textbox', { name: 'answer' }).fill('A frame is one server-sent event.')
  await sheet.getByRole('button', { name: /Save/ }).click()
  await expect(sheet).toBeHidden()
  await page.goto(`${loupe.url}/annotations`)
  await expect(page.getByRole('link', { name: 'What is a frame?' })).toBeVisible()
})
