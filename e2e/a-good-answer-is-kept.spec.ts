import { AxeBuilder } from '@axe-core/playwright'
import { refuse } from './faults/platform.ts'
import { expect, test } from './fixtures.ts'

test('a person turns an answer into an annotation, which then answers; a table of others is imported', async ({
  desk,
  loupe,
}) => {
  test.setTimeout(240_000)
  await desk.goto(`${loupe.url}/chat`)
  await desk.getByRole('textbox', { name: 'Your question' }).fill('What is Loupe?')
  await desk.keyboard.press('Control+Enter')
  await desk.getByRole('button', { name: 'Annotate' }).click()
  const sheet = desk.getByRole('dialog', { name: 'Annotate this answer' })
  await expect(sheet.getByRole('textbox', { name: 'question' })).toHaveValue('What is Loupe?')
  await sheet.getByRole('textbox', { name: 'answer' }).fill('Loupe is the glass that shows every frame.')
  await expect(sheet.getByRole('group', { name: 'Changed from the answer that came' })).toBeVisible()
  await sheet.getByRole('button', { name: /Save/ }).click()
  await sheet.getByRole('link', { name: 'Open the annotations' }).click()
  await desk.getByRole('link', { name: 'What is Loupe?' }).click()
  await expect(desk.getByRole('link', { name: /^run / })).toHaveAttribute('href', /\/runs\//)
  await desk.getByRole('button', { name: 'Close' }).click()

  await desk.getByText('Annotation reply', { exact: true }).click()
  await desk.getByRole('button', { name: 'Enable' }).click()
  await expect(desk.getByText('completed')).toBeVisible()
  await expect(desk.getByText('It is on, by what the platform tells of the app.')).toBeVisible()
  await desk.getByRole('button', { name: 'Ask' }).click()
  await expect(desk.getByText('The stored answer came back.')).toBeVisible()
  const { violations } = await new AxeBuilder({ page: desk }).analyze()
  expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([])

  await desk.getByText('Import', { exact: true }).click()
  const rows = Array.from({ length: 20 }, (_, index) => `Imported ${index + 1}?,"Yes, ${index + 1}."`)
  await desk.getByRole('textbox', { name: 'Or paste a table' }).fill(['question,answer', ...rows].join('\n'))
  await desk.getByRole('button', { name: 'Read what is pasted' }).click()
  await desk.getByRole('button', { name: 'Import 20 annotations' }).click()
  await expect(desk.getByText('20 of 20', { exact: true })).toBeVisible()
  await desk.goto(`${loupe.url}/annotations?q=Imported%2017`)
  await expect(desk.getByRole('link', { name: 'Imported 17?' })).toBeVisible()
})

test('the review queue is gone through by keyboard: skipped, taken back, annotated, marked', async ({
  desk,
  faults,
  loupe,
}) => {
  faults.platform.script = (seen, response) =>
    seen.path.endsWith('/apps/annotations') && seen.method === 'POST'
      ? refuse(response, 201, { id: 'kept', ...(JSON.parse(String(seen.body)) as object), hit_count: 0, created_at: 0 })
      : refuse(response, 400, { code: 'provider_quota_exceeded', message: 'The quota is exceeded.' })
  for (const query of ['First?', 'Second?', 'Third?']) {
    const response = await desk.request.post(`${loupe.url}/api/keys/${faults.chatKey}/chat-messages`, {
      headers: { 'x-console': '1' },
      data: { query, user: 'spec', inputs: {}, response_mode: 'streaming' },
    })
    await response.text()
  }
  await desk.goto(`${loupe.url}/annotations?workspace=${faults.id}&app=${faults.chatKey}&view=review`)
  const turn = desk.getByRole('article', { name: 'Turn' })
  await expect(turn).toContainText('Third?')
  await expect(turn).toContainText('The quota is exceeded.')
  await desk.keyboard.press('s')
  await expect(turn).toContainText('Second?')
  await desk.keyboard.press('b')
  await expect(turn).toContainText('Third?')

  await expect(turn.getByRole('button', { name: /^Annotate/ })).toBeEnabled()
  await desk.keyboard.press('a')
  const sheet = desk.getByRole('dialog', { name: 'Annotate this answer' })
  await sheet.getByRole('textbox', { name: 'answer' }).fill('sabm is no key while one types.')
  await sheet.getByRole('button', { name: /Save/ }).click()
  // An annotated turn leaves the queue, and its sheet with it.
  await expect(turn).toContainText('Second?')
  await expect(sheet).toBeHidden()

  await desk.keyboard.press('m')
  await expect(turn).toContainText('First?')
  await desk.reload()
  await expect(turn).toContainText('First?')
  await desk.keyboard.press('m')
  await expect(desk.getByText('Nothing to review')).toBeVisible()
})
