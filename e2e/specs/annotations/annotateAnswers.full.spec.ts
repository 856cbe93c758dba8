import { expectAccessible } from '#support/documentFixtures.ts'
import { expect, test } from '#support/fixtures.ts'

test('an import names the rows that repeat each other or what the app has, and its result stays with the annotations', async ({
  signedInPage,
  loupe,
}) => {
  const { data } = (await (await signedInPage.request.get(`${loupe.url}/api/workspaces`)).json()) as {
    data: { id: string; keys: { id: string; kind: string }[] }[]
  }
  const app = data[0]?.keys.find(({ kind }) => kind === 'completion')?.id ?? ''
  const annotate = await signedInPage.request.post(`${loupe.url}/api/keys/${app}/apps/annotations`, {
    headers: { 'x-console': '1' },
    data: { question: 'Where is the serial number?', answer: 'Below the battery.' },
  })
  expect(annotate.status()).toBe(200)
  await signedInPage.goto(`${loupe.url}/annotations?workspace=${data[0]?.id}&app=${app}&view=import`)
  const table = [
    'question,answer',
    'How do I pair the remote?,Hold it for five seconds.',
    'where is the serial number,Below the battery.',
    'How do I pair the remote?,Ask support.',
    'A question without an answer?,',
    'How do I reset sensor 5?,Hold key 45.',
    'How do I reset sensor 7?,Hold key 42.',
  ]
  await signedInPage.getByRole('textbox', { name: 'Or paste a table' }).fill(table.join('\n'))
  await signedInPage.getByRole('button', { name: 'Use pasted table' }).click()
  const check = signedInPage.getByRole('region', { name: 'Check' })
  const duplicates = check.getByRole('list', { name: '2 rows repeat a question that exists already.' })
  await expect(duplicates.getByRole('listitem').nth(0)).toContainText('Row 2the app has this annotation')
  await expect(duplicates.getByRole('listitem').nth(1)).toContainText('Row 3other answer than row 1')
  await expect(check).toContainText('Compared with the one annotation that the platform lists.')
  // The row without an answer keeps all back until it is left out.
  await expect(signedInPage.getByRole('button', { name: 'Import', exact: true })).toBeDisabled()
  await check.getByRole('checkbox', { name: 'Skip these rows' }).check()
  await expect(check.getByRole('checkbox', { name: 'Leave these rows out' })).toBeChecked()
  await expectAccessible(signedInPage)
  await signedInPage.getByRole('button', { name: 'Import 3 annotations' }).click()

  const result = signedInPage.getByRole('region', { name: /^Import/ })
  await expect(result).toContainText('3 added, 1 left out, 2 duplicates')
  await expect(signedInPage.getByRole('link', { name: 'How do I reset sensor 7?' })).toBeVisible()
  await signedInPage.reload()
  await expect(result).toContainText('3 added, 1 left out, 2 duplicates')
  await result.getByRole('button', { name: 'Dismiss' }).click()
  await expect(result).toHaveCount(0)
  await signedInPage.getByText('Import', { exact: true }).click()
  await expect(signedInPage.getByRole('region', { name: 'Previous imports' })).toContainText(
    '3 added, 1 left out, 2 duplicates',
  )
})
