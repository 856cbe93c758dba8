import { expect, test } from '#support/fixtures.ts'

test('a person finds a run among all, by words, kind and state, and Back undoes a filter', async ({
  signedInPage,
  loupe,
}) => {
  await signedInPage.goto(`${loupe.url}/chat`)
  const ask = async (question: string, turns: number) => {
    await signedInPage.getByRole('textbox', { name: 'Your question' }).fill(question)
    await signedInPage.keyboard.press('Control+Enter')
    const answers = signedInPage.getByRole('log').getByRole('article', { name: 'Answer' })
    await expect(answers).toHaveCount(turns)
    await expect(answers.last()).toContainText('first token')
  }
  await ask('What is a zebrafinch?', 1)
  await ask('How does a zebrafinch sing?', 2)
  await signedInPage.goto(`${loupe.url}/completion`)
  await signedInPage.getByRole('textbox', { name: 'Text' }).fill('A zebrafinch lives for five years. It is grey.')
  await signedInPage.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(signedInPage.getByRole('region', { name: 'Output' })).toContainText('first token')

  await signedInPage.keyboard.press('Escape')
  await signedInPage.getByRole('link', { name: 'Runs' }).click()
  const rows = signedInPage.getByRole('row').filter({ has: signedInPage.getByRole('link') })
  await signedInPage.getByRole('searchbox').fill('zebrafinch')
  await expect(rows).toHaveCount(3)
  await expect(signedInPage).toHaveURL(/q=zebrafinch/)

  await signedInPage.getByRole('button', { name: 'Filter' }).click()
  await signedInPage.getByRole('combobox', { name: 'Kind' }).selectOption('completion')
  await expect(rows).toHaveCount(1)
  await signedInPage.goBack()
  await expect(rows).toHaveCount(3)
  await signedInPage.goForward()
  await expect(rows).toHaveCount(1)
  await expect(rows.first()).toContainText('Summarise')
  await signedInPage.getByRole('combobox', { name: 'State' }).selectOption('failed')
  await expect(signedInPage.getByText('No runs with these filters.')).toBeVisible()
  await expect(signedInPage.getByText(/^Runs without filters: \d+\.$/)).toBeVisible()
  await signedInPage.reload()
  await expect(signedInPage.getByText(/^Runs without filters: \d+\.$/)).toBeVisible()
  await signedInPage.getByRole('button', { name: 'Clear filters' }).click()
  await expect(signedInPage).not.toHaveURL(/q=/)
  await expect(signedInPage.getByRole('link', { name: 'How does a zebrafinch sing?' })).toBeVisible()
  await signedInPage.goto(`${loupe.url}/runs?status=lost`)
  await expect(signedInPage.getByRole('alert')).toContainText('status')
})
