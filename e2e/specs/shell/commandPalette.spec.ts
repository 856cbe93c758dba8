import type { Page } from '@playwright/test'
import { randomUUID } from 'node:crypto'
import { expect, test } from '#support/fixtures.ts'
import { createJsonSender } from '#support/postJson.ts'

/** Opens the palette and types into it. */
async function searchPalette(signedInPage: Page, text: string) {
  await expect(signedInPage.getByRole('main')).toBeVisible()
  const palette = signedInPage.getByRole('dialog', { name: 'Search or paste an id' })
  // The keys are registered shortly after the page is there.
  await expect(async () => {
    await signedInPage.keyboard.press('ControlOrMeta+K')
    await expect(palette).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await palette.getByRole('combobox').fill(text)
  await expect(palette.getByRole('option').first()).toBeVisible()
  return palette
}

test('the palette goes anywhere, runs an app, opens what was seen, searches, switches, and copies the link', async ({
  context,
  signedInPage,
  faultyWorkspace,
  loupe,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signedInPage.goto(`${loupe.url}/ledger`)
  await (await searchPalette(signedInPage, 'contract dr')).getByRole('option', { name: 'Contract drift' }).click()
  await expect(signedInPage.getByRole('heading', { name: 'Contract drift' })).toBeVisible()

  const apps = await searchPalette(signedInPage, 'chat')
  await apps
    .getByRole('option', { name: /^Run .*chat$/ })
    .first()
    .click()
  await expect(signedInPage).toHaveURL(/\/chat\?.*app=/)
  await signedInPage.getByRole('textbox', { name: 'Your question' }).fill('What can a palette open?')
  await signedInPage.keyboard.press('ControlOrMeta+Enter')
  await expect(signedInPage.getByText('first token').first()).toBeVisible()
  const run = new URL(signedInPage.url()).searchParams.get('run') ?? ''

  const recent = await searchPalette(signedInPage, '')
  await expect(recent.getByRole('option', { name: /^Open dataset/ }).first()).toBeVisible()
  await expect(recent.getByRole('option', { name: /^Open conversation/ }).first()).toBeVisible()
  await recent.getByRole('option', { name: 'Open run What can a palette open?' }).click()
  await expect(signedInPage).toHaveURL(new RegExp(`/runs/${run}`))

  await (
    await searchPalette(signedInPage, 'the link')
  )
    .getByRole('option', { name: 'Copy the link to this page' })
    .click()
  await expect(signedInPage.getByText('Link copied.')).toBeVisible()
  expect(await signedInPage.evaluate(() => navigator.clipboard.readText())).toBe(signedInPage.url())
  await signedInPage.keyboard.press('Escape')

  await (
    await searchPalette(signedInPage, 'glass that')
  )
    .getByRole('option', { name: 'Search the ledger for “glass that”' })
    .click()
  await expect(signedInPage).toHaveURL(/\/ledger\?.*q=glass/)

  const dark = () => signedInPage.evaluate(() => document.documentElement.dataset.mantineColorScheme)
  const before = await dark()
  await (await searchPalette(signedInPage, 'theme')).getByRole('option', { name: 'Switch the theme' }).click()
  await expect.poll(dark).not.toBe(before)

  const { id, name } = faultyWorkspace
  await (await searchPalette(signedInPage, name)).getByRole('option', { name, exact: true }).click()
  await expect(signedInPage).toHaveURL(new RegExp(`workspace=${id}`))
})

test('an id says what it is and opens, wherever it is pasted; an unknown one offers what takes it', async ({
  signedInPage,
  loupe,
}) => {
  await signedInPage.goto(`${loupe.url}/chat`)
  await signedInPage.getByRole('textbox', { name: 'Your question' }).fill('What is a frame?')
  await signedInPage.keyboard.press('ControlOrMeta+Enter')
  await expect(signedInPage.getByText('first token').first()).toBeVisible()
  const url = new URL(signedInPage.url())
  const run = url.searchParams.get('run') ?? ''
  const { conversation_id, message_id } = (await (
    await signedInPage.request.get(`${loupe.url}/api/runs/${run}`)
  ).json()) as {
    conversation_id: string
    message_id: string
  }
  const listResources = async (kind: string) =>
    (
      (await (await signedInPage.request.get(`${loupe.url}/api/resources?kind=${kind}`)).json()) as {
        data: { id: string }[]
      }
    ).data[0]?.id ?? ''
  for (const [kind, id, opens] of [
    ['run', run, /\/runs\//],
    ['conversation', conversation_id, /conversation=/],
    ['message', message_id, /run=/],
    ['dataset', await listResources('dataset'), /\/datasets\//],
    ['document', await listResources('document'), /\/documents\//],
    ['segment', await listResources('segment'), /segment=/],
  ] as const) {
    const palette = await searchPalette(signedInPage, id)
    // Other workspaces may have it too.
    const option = palette.getByRole('option', { name: new RegExp(`^Open ${kind}`) }).first()
    await expect(option).toContainText('seen')
    await option.click()
    await expect(signedInPage).toHaveURL(opens)
  }

  await signedInPage.goto(`${loupe.url}/ledger?q=${message_id}`)
  const identity = signedInPage.getByRole('region', { name: 'Id lookup' })
  await expect(identity).toContainText('A message in')
  await expect(identity).toContainText('First seen')
  await expect(identity).toContainText('Last seen')

  const unknown = randomUUID()
  const palette = await searchPalette(signedInPage, unknown)
  await expect(palette.getByText('This console has not seen this id.')).toBeVisible()
  await palette.getByRole('option', { name: 'Show the operations that accept this id' }).click()
  await expect(signedInPage.getByText('Operations that accept this id')).toBeVisible()
  const takers = signedInPage
    .getByRole('listitem')
    .filter({ has: signedInPage.getByText('dataset_id', { exact: true }) })
  await expect(takers).toContainText('documents.list')
})

test('the palette finds a document and a segment by their words', async ({ signedInPage, loupe }) => {
  const read = async <Reply>(path: string) =>
    (await (await signedInPage.request.get(`${loupe.url}/api/${path}`)).json()) as Reply
  interface Listed {
    data: { id: string; name: string }[]
  }
  const { data: workspaces } = await read<{ data: { keys: { id: string; kind: string }[] }[] }>('workspaces')
  const key = workspaces[0]?.keys.find(({ kind }) => kind === 'knowledge')?.id
  const datasets = await read<Listed>(`keys/${key}/datasets?limit=100`)
  const dataset = datasets.data.find(({ name }) => name === 'Loupe handbook')?.id
  const documents = await read<Listed>(`keys/${key}/datasets/${dataset}/documents`)
  const document = documents.data.find(({ name }) => name === 'Runs that survive')
  await read(`keys/${key}/datasets/${dataset}/documents/${document?.id}/segments`)

  await signedInPage.goto(loupe.url)
  const byName = await searchPalette(signedInPage, 'that survive')
  await byName.getByRole('option', { name: 'Open document Runs that survive' }).click()
  await expect(signedInPage).toHaveURL(new RegExp(`/documents/${document?.id}`))
  const byText = await searchPalette(signedInPage, 'second tab, lost')
  await byText
    .getByRole('option', { name: /^Open segment .*second tab, lost/ })
    .first()
    .click()
  await expect(signedInPage).toHaveURL(/segment=/)
})

test('`?` lists the keys of the page, and no letter is a key while one types', async ({ signedInPage, loupe }) => {
  // A ledger without calls has nothing to search.
  const { data } = (await (await signedInPage.request.get(`${loupe.url}/api/workspaces`)).json()) as {
    data: { keys: { id: string; kind: string }[] }[]
  }
  const key = data[0]?.keys.find(({ kind }) => kind === 'chat')?.id
  const question = { query: 'Which keys are there?', inputs: {}, user: 'tester', response_mode: 'blocking' }
  await createJsonSender(signedInPage.request, loupe.url)(`/api/keys/${key}/chat-messages`, question)
  await signedInPage.goto(`${loupe.url}/ledger`)
  await expect(signedInPage.getByRole('heading', { name: 'Ledger' })).toBeVisible()
  const keys = signedInPage.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(async () => {
    await signedInPage.keyboard.press('Shift+?')
    await expect(keys).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await expect(keys.getByRole('region', { name: 'On this page' })).toContainText('search this page')
  await expect(keys.getByRole('region', { name: 'On this page' })).not.toContainText('tabs of the inspector')
  await expect(keys.getByRole('region', { name: 'Everywhere' })).toContainText('go to Datasets')
  await signedInPage.keyboard.press('Escape')
  await expect(keys).toBeHidden()

  await signedInPage.keyboard.press('/')
  const search = signedInPage.getByRole('searchbox', { name: 'Text, error or id' })
  await expect(search).toBeFocused()
  await signedInPage.keyboard.type('g d ? [')
  await expect(search).toHaveValue('g d ? [')
  await expect(keys).toBeHidden()
  await expect(signedInPage).toHaveURL(/\/ledger/)

  await signedInPage.goto(`${loupe.url}/chat`)
  await expect(signedInPage.getByRole('textbox', { name: 'Your question' })).toBeVisible()
  await signedInPage.getByRole('main').focus()
  await signedInPage.keyboard.press('Shift+?')
  await expect(keys.getByRole('region', { name: 'On this page' })).toContainText('tabs of the inspector')
  await signedInPage.keyboard.press('Escape')
  await signedInPage.getByRole('main').focus()
  await signedInPage.keyboard.press('g')
  await signedInPage.keyboard.press('d')
  await expect(signedInPage).toHaveURL(/\/datasets/)
})
