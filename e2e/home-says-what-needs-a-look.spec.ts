import { refuse } from './faults/platform.ts'
import { expect, test } from './fixtures.ts'

test('home sums the runs up, in a chart and in a table, and a refused key is flagged until it works again', async ({
  desk,
  faults,
  loupe,
}) => {
  const ask = (headers: Record<string, string> = {}) =>
    desk.request.post(`${loupe.url}/api/keys/${faults.chatKey}/chat-messages`, {
      headers: { 'x-console': '1', ...headers },
      data: { query: 'Is anybody there?', user: 'ada', inputs: {}, response_mode: 'blocking' },
    })
  faults.platform.script = (_seen, response) =>
    refuse(response, 401, { code: 'unauthorized', message: 'Access token is invalid', status: 401 })
  await ask()
  await desk.goto(loupe.url)
  const card = desk.getByRole('article', { name: 'Faults' }).last()
  await expect(card).toContainText('refused')
  const looks = desk.getByRole('region', { name: 'Needs a look' })
  await expect(looks.getByRole('listitem').filter({ hasText: 'refuses the key' }).last()).toContainText(
    'Access token is invalid',
  )

  const usage = { total_tokens: 1234, total_price: '0.5', currency: 'EUR' }
  faults.platform.script = (_seen, response) =>
    refuse(response, 200, { event: 'message', message_id: 'm', mode: 'chat', answer: 'Yes.', metadata: { usage } })
  expect((await ask()).status()).toBe(200)
  await desk.reload()
  await expect(card).toContainText('healthy')
  const tokens = desk.getByRole('region', { name: 'Tokens per day', exact: true })
  await expect(tokens.getByRole('group', { name: /Arrow keys/ })).toBeVisible()
  await tokens.getByRole('button', { name: 'As a table' }).click()
  await expect(tokens.getByRole('columnheader', { name: 'Total' })).toBeVisible()
  await expect(tokens.getByRole('row')).toHaveCount(15)
  await tokens.getByRole('combobox', { name: 'What the chart shows' }).selectOption('price')
  const prices = desk.getByRole('region', { name: 'Price per day', exact: true })
  await expect(prices).toContainText('in 14 days')
  await desk.getByRole('combobox', { name: 'Days shown' }).selectOption('7')
  await expect(desk).toHaveURL(/days=7/)
  await expect(prices.getByRole('row')).toHaveCount(8)
  const last = desk.getByRole('region', { name: 'Last runs' })
  await last.getByRole('link', { name: 'Is anybody there?' }).first().click()
  await expect(desk).toHaveURL(/\/runs\//)
})
