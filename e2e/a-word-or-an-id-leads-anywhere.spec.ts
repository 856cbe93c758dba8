import type { Page } from '@playwright/test'
import { randomUUID } from 'node:crypto'
import { expect, test } from './fixtures.ts'

/** Opens the palette and types into it. */
async function seek(desk: Page, text: string) {
  await expect(desk.getByRole('main')).toBeVisible()
  await desk.keyboard.press('ControlOrMeta+K')
  const palette = desk.getByRole('dialog', { name: 'Go to, run, paste an id' })
  await palette.getByRole('combobox').fill(text)
  await expect(palette.getByRole('option').first()).toBeVisible()
  return palette
}

test('the palette goes anywhere, runs an app, opens what was seen, searches, switches, and copies the link', async ({
  context,
  desk,
  faults,
  loupe,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await desk.goto(`${loupe.url}/ledger`)
  await (await seek(desk, 'contract dr')).getByRole('option', { name: 'Contract drift' }).click()
  await expect(desk.getByRole('heading', { name: 'Contract drift' })).toBeVisible()

  const apps = await seek(desk, 'chat')
  await apps
    .getByRole('option', { name: /^Run .*chat$/ })
    .first()
    .click()
  await expect(desk).toHaveURL(/\/chat\?.*app=/)
  await desk.getByRole('textbox', { name: 'Your question' }).fill('What is Loupe?')
  await desk.keyboard.press('ControlOrMeta+Enter')
  await expect(desk.getByText('first token').first()).toBeVisible()
  const run = new URL(desk.url()).searchParams.get('run') ?? ''

  const recent = await seek(desk, '')
  await expect(recent.getByRole('option', { name: /^Open dataset/ }).first()).toBeVisible()
  await expect(recent.getByRole('option', { name: /^Open conversation/ }).first()).toBeVisible()
  await recent.getByRole('option', { name: 'Open run What is Loupe?' }).click()
  await expect(desk).toHaveURL(new RegExp(`/runs/${run}`))

  await (await seek(desk, 'the link')).getByRole('option', { name: 'Copy the link to this page' }).click()
  await expect(desk.getByText('The link is copied.')).toBeVisible()
  expect(await desk.evaluate(() => navigator.clipboard.readText())).toBe(desk.url())
  await desk.keyboard.press('Escape')

  await (await seek(desk, 'glass that')).getByRole('option', { name: 'Search the ledger for “glass that”' }).click()
  await expect(desk).toHaveURL(/\/ledger\?.*q=glass/)

  const dark = () => desk.evaluate(() => document.documentElement.dataset.mantineColorScheme)
  const before = await dark()
  await (await seek(desk, 'theme')).getByRole('option', { name: 'Switch the theme' }).click()
  await expect.poll(dark).not.toBe(before)

  await (await seek(desk, 'faults')).getByRole('option', { name: 'Faults', exact: true }).click()
  await expect(desk).toHaveURL(new RegExp(`workspace=${faults.id}`))
})

test('an id says what it is and opens, wherever it is pasted; an unknown one offers what takes it', async ({
  desk,
  loupe,
}) => {
  await desk.goto(`${loupe.url}/chat`)
  await desk.getByRole('textbox', { name: 'Your question' }).fill('What is a frame?')
  await desk.keyboard.press('ControlOrMeta+Enter')
  await expect(desk.getByText('first token').first()).toBeVisible()
  const url = new URL(desk.url())
  const run = url.searchParams.get('run') ?? ''
  const { conversation_id, message_id } = (await (await desk.request.get(`${loupe.url}/api/runs/${run}`)).json()) as {
    conversation_id: string
    message_id: string
  }
  const things = async (kind: string) =>
    ((await (await desk.request.get(`${loupe.url}/api/things?kind=${kind}`)).json()) as { data: { id: string }[] })
      .data[0]?.id ?? ''
  for (const [kind, id, opens] of [
    ['run', run, /\/runs\//],
    ['conversation', conversation_id, /conversation=/],
    ['message', message_id, /run=/],
    ['dataset', await things('dataset'), /\/datasets\//],
    ['document', await things('document'), /\/documents\//],
    ['segment', await things('segment'), /segment=/],
  ] as const) {
    const palette = await seek(desk, id)
    const option = palette.getByRole('option', { name: new RegExp(`^Open ${kind}`) })
    await expect(option).toContainText('seen')
    await option.click()
    await expect(desk).toHaveURL(opens)
  }

  await desk.goto(`${loupe.url}/ledger?q=${message_id}`)
  const identity = desk.getByRole('region', { name: 'What this id is' })
  await expect(identity).toContainText('A message in')
  await expect(identity).toContainText('First seen')
  await expect(identity).toContainText('Last seen')

  const unknown = randomUUID()
  const palette = await seek(desk, unknown)
  await expect(palette.getByText('This console has not seen this id.')).toBeVisible()
  await palette.getByRole('option', { name: 'Show the operations that take such an id' }).click()
  await expect(desk.getByText('Operations that take such an id')).toBeVisible()
  const takers = desk.getByRole('listitem').filter({ has: desk.getByText('dataset_id', { exact: true }) })
  await expect(takers).toContainText('documents.list')
})

test('`?` lists the keys of the page, and no letter is a key while one types', async ({ desk, loupe }) => {
  await desk.goto(`${loupe.url}/ledger`)
  await expect(desk.getByRole('heading', { name: 'Ledger' })).toBeVisible()
  await desk.keyboard.press('Shift+?')
  const keys = desk.getByRole('dialog', { name: 'Keys' })
  await expect(keys.getByRole('region', { name: 'On this page' })).toContainText('search here')
  await expect(keys.getByRole('region', { name: 'On this page' })).not.toContainText('tabs of the inspector')
  await expect(keys.getByRole('region', { name: 'Everywhere' })).toContainText('go to Datasets')
  await desk.keyboard.press('Escape')
  await expect(keys).toBeHidden()

  await desk.keyboard.press('/')
  const search = desk.getByRole('searchbox', { name: 'Words, errors, or an id' })
  await expect(search).toBeFocused()
  await desk.keyboard.type('g d ? [')
  await expect(search).toHaveValue('g d ? [')
  await expect(keys).toBeHidden()
  await expect(desk).toHaveURL(/\/ledger/)

  await desk.goto(`${loupe.url}/chat`)
  await expect(desk.getByRole('textbox', { name: 'Your question' })).toBeVisible()
  await desk.getByRole('main').focus()
  await desk.keyboard.press('Shift+?')
  await expect(keys.getByRole('region', { name: 'On this page' })).toContainText('tabs of the inspector')
  await desk.keyboard.press('Escape')
  await desk.getByRole('main').focus()
  await desk.keyboard.press('g')
  await desk.keyboard.press('d')
  await expect(desk).toHaveURL(/\/datasets/)
})
