import { createHmac } from 'node:crypto'
import { expect, test } from '#support/fixtures.ts'
import { ScriptedPlatform } from '#support/platforms/scriptedPlatform.ts'

test('an admin sets a webhook, gets its secret once, tests it, and sees a failed delivery', async ({
  signedInPage: page,
  loupe,
  faultyWorkspace,
}) => {
  const receiver = await ScriptedPlatform.start()
  receiver.script = (_seen, response) => void response.writeHead(204).end()
  await page.goto(`${loupe.url}/workspaces`)
  const card = page.getByRole('region', { name: faultyWorkspace.name, exact: true })
  await card.getByText('Webhook', { exact: true }).click()
  const url = card.getByRole('textbox', { name: 'Webhook URL' })
  await url.fill('http://169.254.169.254/hook')
  await card.getByRole('button', { name: 'Save webhook' }).click()
  await expect(card.getByText(/must not lead to 169\.254\.169\.254/i)).toBeVisible()
  await url.fill(receiver.url.replace('/v1', '/hook?of=the-receiver'))
  await card.getByRole('button', { name: 'Save webhook' }).click()
  const secret = card.getByRole('textbox', { name: 'Signing secret' })
  await expect(secret).toContainText('whsec_')
  const value = (await secret.textContent()) ?? ''
  await expect(card).not.toContainText('the-receiver')

  await card.getByRole('button', { name: 'Send a test event' }).click()
  await expect(card.getByText(/webhook\.test, delivered/)).toBeVisible()
  const [request] = receiver.requests
  const signature = String(request?.headers['loupe-signature'])
  const sentAt = /^t=(\d+),/.exec(signature)?.[1]
  const digest = createHmac('sha256', value).update(`${sentAt}.${request?.body}`).digest('hex')
  expect(signature).toBe(`t=${sentAt},v1=${digest}`)

  await page.reload()
  await card.getByText('Webhook', { exact: true }).click()
  await expect(card.getByText(new URL(receiver.url).origin)).toBeVisible()
  await expect(card).not.toContainText('whsec_')
  receiver.script = (_seen, response) => void response.writeHead(500).end()
  await card.getByRole('button', { name: 'Send a test event' }).click()
  await expect(card.getByText(/given up after attempt 1 .*: The receiver answered 500\./)).toBeVisible()
  await card.getByRole('button', { name: 'Delete webhook' }).click()
  await expect(page.getByRole('list', { name: 'What is kept' })).toHaveText(
    'The workspace, its keys and its runs stay.',
  )
  await page.getByRole('dialog').getByRole('button', { name: 'Delete webhook' }).click()
  await expect(card.getByRole('textbox', { name: 'Webhook URL' })).toBeVisible()
  expect(faultyWorkspace.platform.requests.filter(({ path }) => path.includes('hook'))).toEqual([])
  await receiver.close()
})
