import { randomUUID } from 'node:crypto'
import { sendError } from '#support/platforms/scriptedPlatform.ts'
import { expect, test } from '#support/fixtures.ts'

test('uploads that the platform refused are an alert that leads to their calls', async ({
  signedInPage,
  faultyWorkspace,
  loupe,
}) => {
  faultyWorkspace.platform.script = (_seen, response) =>
    sendError(response, 415, { code: 'unsupported_file_type', message: 'File type not allowed.', status: 415 })
  const path = `keys/${faultyWorkspace.knowledgeKey}/datasets/${randomUUID()}/document/create-by-file`
  const upload = () =>
    signedInPage.request.post(`${loupe.url}/api/${path}`, {
      headers: { 'x-console': '1' },
      multipart: { data: '{}', file: { name: 'kiln.exe', mimeType: 'text/plain', buffer: Buffer.from('MZ') } },
    })
  expect((await upload()).status()).toBe(424)
  await signedInPage.goto(loupe.url)
  const alert = signedInPage
    .getByRole('region', { name: 'Alerts' })
    .getByRole('listitem')
    .filter({ hasText: 'Faults refused' })
    .last()
  await expect(alert).toContainText('Faults refused 1 upload in 24 hours')
  await expect(alert).toContainText('File type not allowed.')
  await alert.getByRole('link', { name: 'Open' }).click()
  await expect(signedInPage).toHaveURL(/\/ledger\?.*call=/)
  await expect(
    signedInPage.getByRole('complementary', { name: 'Inspector' }).or(signedInPage.getByRole('dialog')),
  ).toContainText('File type not allowed.')

  expect((await upload()).status()).toBe(424)
  await signedInPage.goto(loupe.url)
  await expect(alert).toContainText('Faults refused 2 uploads in 24 hours')
  await alert.getByRole('link', { name: 'Open' }).click()
  await expect(signedInPage.getByRole('table').getByRole('row')).toHaveCount(3)
})
