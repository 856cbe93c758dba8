import { randomUUID } from 'node:crypto'
import { answerWithDrift } from '#support/platforms/driftingPlatform.ts'
import { sendError } from '#support/platforms/scriptedPlatform.ts'
import { expect, test } from '#support/fixtures.ts'

test('home sums the runs up, in a chart and in a table, and a refused key is flagged until it works again', async ({
  signedInPage,
  faultyWorkspace,
  loupe,
}) => {
  const ask = (headers: Record<string, string> = {}) =>
    signedInPage.request.post(`${loupe.url}/api/keys/${faultyWorkspace.chatKey}/chat-messages`, {
      headers: { 'x-console': '1', ...headers },
      data: { query: 'Is anybody there?', user: 'ada', inputs: {}, response_mode: 'blocking' },
    })
  faultyWorkspace.platform.script = (_seen, response) =>
    sendError(response, 401, { code: 'unauthorized', message: 'Access token is invalid', status: 401 })
  await ask()
  await signedInPage.goto(loupe.url)
  const card = signedInPage.getByRole('article', { name: faultyWorkspace.name })
  await expect(card).toContainText('refused')
  const looks = signedInPage.getByRole('region', { name: 'Alerts' })
  await expect(looks.getByRole('listitem').filter({ hasText: 'refuses the key' }).last()).toContainText(
    'Access token is invalid',
  )

  const usage = { total_tokens: 1234, total_price: '0.5', currency: 'EUR' }
  faultyWorkspace.platform.script = (_seen, response) =>
    sendError(response, 200, { event: 'message', message_id: 'm', mode: 'chat', answer: 'Yes.', metadata: { usage } })
  expect((await ask()).status()).toBe(200)
  await signedInPage.reload()
  await expect(card).toContainText('healthy')
  const tokens = signedInPage.getByRole('region', { name: 'Tokens per day', exact: true })
  await expect(tokens.getByRole('group', { name: /arrow keys/ })).toBeVisible()
  await tokens.getByRole('button', { name: 'As a table' }).click()
  await expect(tokens.getByRole('columnheader', { name: 'Total' })).toBeVisible()
  // The days before the first run are left out, down to a week.
  await expect(tokens.getByRole('row')).toHaveCount(8)
  await tokens.getByRole('combobox', { name: 'Metric' }).selectOption('price')
  const prices = signedInPage.getByRole('region', { name: 'Price per day', exact: true })
  await expect(prices).toContainText('last 14 days')
  await signedInPage.getByRole('combobox', { name: 'Days shown' }).selectOption('7')
  await expect(signedInPage).toHaveURL(/days=7/)
  await expect(prices.getByRole('row')).toHaveCount(8)
  const last = signedInPage.getByRole('region', { name: 'Recent runs' })
  await last.getByRole('link', { name: 'Is anybody there?' }).first().click()
  await expect(signedInPage).toHaveURL(/\/runs\//)
})

test('what a platform does that the contract does not know is listed, and can be put into a bug report', async ({
  context,
  signedInPage,
  faultyWorkspace,
  loupe,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const post = async (path: string, data: unknown) => {
    const reply = await signedInPage.request.post(`${loupe.url}/api/${path}`, { headers: { 'x-console': '1' }, data })
    return (await reply.json().catch(() => null)) as { id: string }
  }
  const workflow = await post(`workspaces/${faultyWorkspace.id}/keys`, {
    kind: 'workflow',
    label: 'Odd workflow',
    key: 'odd-sentinel-workflow',
  })
  const [knowledge, chat] = [faultyWorkspace.knowledgeKey, faultyWorkspace.chatKey]
  const [dataset, one] = [randomUUID(), randomUUID()]
  const read = (path: string) => signedInPage.request.get(`${loupe.url}/api/${path}`)
  faultyWorkspace.platform.script = answerWithDrift
  const question = { user: 'ada', inputs: { a: 'b' }, response_mode: 'streaming' }
  const tea = { name: 'Teas', text: 'Oolong.' }
  await post(`keys/${knowledge}/datasets/${dataset}/document/create-by-text`, tea)
  await post(`keys/${knowledge}/datasets/${dataset}/documents/${one}/update-by-text`, tea)
  await post(`keys/${workflow.id}/workflows/run`, question)
  await post(`keys/${chat}/chat-messages`, { ...question, query: 'Is there tea?' })
  // An operation that this platform does not have, refused with a status and in a shape that nobody expects.
  await read(`keys/${chat}/info`)

  await signedInPage.goto(loupe.url)
  const looks = signedInPage.getByRole('region', { name: 'Alerts' })
  await looks
    .getByRole('listitem')
    .filter({ hasText: `drift notices of ${faultyWorkspace.name}` })
    .first()
    .getByRole('link', { name: 'Show drift' })
    .click()
  await expect(signedInPage.getByRole('heading', { name: 'Contract drift' })).toBeVisible()
  await signedInPage.goto(`${loupe.url}/drift?workspace=${faultyWorkspace.id}&limit=100`)
  const table = signedInPage.getByRole('table', { name: 'Observed, not in the contract' })
  const row = (what: string, operation: string) =>
    table
      .getByRole('row')
      .filter({ hasText: operation })
      .filter({ has: signedInPage.getByRole('link', { name: what }) })
  // One field of documents in two operations is one row.
  await expect(row('document.shelf', 'documents.createByText +1')).toContainText('unknown field')
  await expect(row('document.indexing_status = dreaming', 'documents.createByText +1')).toContainText('notice')
  await expect(row('mood_changed', 'workflows.run')).toContainText('unknown event')
  await expect(row('status 418', 'adjacent.info')).toContainText('status code')
  await expect(row('error response without code', 'adjacent.info')).toContainText('error shape')
  await expect(table).not.toContainText('sentinel')

  await row('message_end › shelf', 'chat.send').getByRole('link').click()
  const pane = signedInPage.getByRole('complementary', { name: 'Inspector' }).or(signedInPage.getByRole('dialog'))
  await expect(pane).toContainText('The contract does not define this field.')
  await pane.getByRole('button', { name: 'Copy', exact: true }).click()
  await signedInPage.getByRole('menuitem', { name: 'As Markdown' }).click()
  await expect(pane.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await signedInPage.evaluate(() => navigator.clipboard.readText())).toContain(
    '| `message_end › shelf` | `unknown field` |',
  )
  await pane.getByRole('link', { name: 'Open the call' }).click()
  await expect(signedInPage).toHaveURL(/\/ledger\?.*call=/)
  await expect(signedInPage.getByRole('heading', { name: 'Ledger', level: 1 })).toBeVisible()
  await signedInPage.goBack()
  await expect(signedInPage.getByRole('heading', { name: 'Contract drift' })).toBeVisible()
  await pane.getByRole('button', { name: 'Close' }).click()

  await signedInPage.getByRole('combobox', { name: 'Kind' }).selectOption('event')
  await expect(signedInPage).toHaveURL(/kind=event/)
  await expect(table.getByRole('row')).toHaveCount(2)
  await signedInPage.getByRole('combobox', { name: 'View' }).selectOption('never')
  await signedInPage.getByRole('combobox', { name: 'Operation' }).selectOption('chat.send')
  const never = signedInPage.getByRole('table', { name: 'In the contract, never observed' })
  await expect(never.getByRole('row').filter({ hasText: 'workflow_started' })).toContainText('event')
  await expect(signedInPage.getByText('Not observed does not mean missing')).toBeVisible()
  await signedInPage.reload()
  await expect(never.getByRole('row').filter({ hasText: 'workflow_started' })).toBeVisible()
})
