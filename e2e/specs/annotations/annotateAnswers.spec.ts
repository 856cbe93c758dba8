import { sendError } from '#support/platforms/scriptedPlatform.ts'
import { expectAccessible } from '#support/documentFixtures.ts'
import { expect, test } from '#support/fixtures.ts'

test('a person turns an answer into an annotation, which then answers; a table of others is imported', async ({
  signedInPage,
  loupe,
}) => {
  await signedInPage.goto(`${loupe.url}/chat`)
  await signedInPage.getByRole('textbox', { name: 'Your question' }).fill('Which stripes has a quagga?')
  await signedInPage.keyboard.press('Control+Enter')
  await signedInPage.getByRole('button', { name: 'Annotate' }).click()
  const sheet = signedInPage.getByRole('dialog', { name: 'Annotate this answer' })
  await expect(sheet.getByRole('textbox', { name: 'question' })).toHaveValue('Which stripes has a quagga?')
  await sheet.getByRole('textbox', { name: 'answer' }).fill('A quagga has stripes in front only.')
  await expect(sheet.getByRole('group', { name: 'Changes to the original answer' })).toBeVisible()
  await sheet.getByRole('button', { name: /Save/ }).click()
  await sheet.getByRole('link', { name: 'Open annotations' }).click()
  await signedInPage.getByRole('link', { name: 'Which stripes has a quagga?' }).click()
  await expect(signedInPage.getByRole('link', { name: /^run / })).toHaveAttribute('href', /\/runs\//)
  await signedInPage.getByRole('button', { name: 'Close' }).click()

  await signedInPage.getByText('Annotation reply', { exact: true }).click()
  await signedInPage.getByRole('button', { name: 'Enable' }).click()
  await expect(signedInPage.getByText('completed')).toBeVisible()
  await expect(signedInPage.getByText('enabled', { exact: true })).toBeVisible()
  // One action for the state that it has.
  await expect(signedInPage.getByRole('button', { name: 'Disable' })).toBeVisible()
  await expect(signedInPage.getByRole('button', { name: 'Enable' })).toHaveCount(0)
  await signedInPage.getByRole('button', { name: 'Ask' }).click()
  await expect(signedInPage.getByText('The stored answer was returned.')).toBeVisible()
  await expectAccessible(signedInPage)

  await signedInPage.getByText('Import', { exact: true }).click()
  const rows = Array.from({ length: 20 }, (_, index) => `Imported ${index + 1}?,"Yes, ${index + 1}."`)
  await signedInPage.getByRole('textbox', { name: 'Or paste a table' }).fill(['question,answer', ...rows].join('\n'))
  await signedInPage.getByRole('button', { name: 'Use pasted table' }).click()
  await signedInPage.getByRole('button', { name: 'Import 20 annotations' }).click()
  const result = signedInPage.getByRole('region', { name: /^Import/ })
  await expect(result).toContainText('20 added')
  await signedInPage.goto(`${loupe.url}/annotations?q=Imported%2017`)
  await expect(signedInPage.getByRole('link', { name: 'Imported 17?' })).toBeVisible()
})

test('the review queue is gone through by keyboard: skipped, taken back, annotated, marked', async ({
  signedInPage,
  faultyWorkspace,
  loupe,
}) => {
  faultyWorkspace.platform.script = (seen, response) =>
    seen.path.endsWith('/apps/annotations') && seen.method === 'POST'
      ? sendError(response, 201, {
          id: 'kept',
          ...(JSON.parse(String(seen.body)) as object),
          hit_count: 0,
          created_at: 0,
        })
      : sendError(response, 400, { code: 'provider_quota_exceeded', message: 'The quota is exceeded.' })
  for (const query of ['First?', 'Second?', 'Third?']) {
    const response = await signedInPage.request.post(`${loupe.url}/api/keys/${faultyWorkspace.chatKey}/chat-messages`, {
      headers: { 'x-console': '1' },
      data: { query, user: 'spec', inputs: {}, response_mode: 'streaming' },
    })
    await response.text()
  }
  await signedInPage.goto(
    `${loupe.url}/annotations?workspace=${faultyWorkspace.id}&app=${faultyWorkspace.chatKey}&view=review`,
  )
  const turn = signedInPage.getByRole('article', { name: 'Turn' })
  await expect(turn).toContainText('Third?')
  await expect(turn).toContainText('The quota is exceeded.')
  await signedInPage.keyboard.press('s')
  await expect(turn).toContainText('Second?')
  await signedInPage.keyboard.press('b')
  await expect(turn).toContainText('Third?')

  await turn.getByRole('button', { name: 'Make a test case' }).click()
  const drawer = signedInPage.getByRole('dialog', { name: 'Make a test case' })
  await drawer.getByRole('button', { name: 'Add case' }).click()
  await expect(drawer.getByText('The case was added.')).toBeVisible()
  await signedInPage.keyboard.press('Escape')
  await expect(drawer).toBeHidden()

  await expect(turn.getByRole('button', { name: /^Annotate/ })).toBeEnabled()
  await signedInPage.keyboard.press('a')
  const sheet = signedInPage.getByRole('dialog', { name: 'Annotate this answer' })
  await sheet.getByRole('textbox', { name: 'answer' }).fill('sabm is no key while one types.')
  await sheet.getByRole('button', { name: /Save/ }).click()
  // An annotated turn leaves the queue, and its sheet with it.
  await expect(turn).toContainText('Second?')
  await expect(sheet).toBeHidden()

  await signedInPage.keyboard.press('m')
  await expect(turn).toContainText('First?')
  await signedInPage.reload()
  await expect(turn).toContainText('First?')
  await expect(turn.getByRole('button', { name: /^Annotate/ })).toBeEnabled()
  await signedInPage.keyboard.press('m')
  await expect(signedInPage.getByText('Nothing to review')).toBeVisible()
})
