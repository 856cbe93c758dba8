import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { ChatPlatform } from '#support/platforms/chatPlatform.ts'
import { expect, test as base } from '#support/fixtures.ts'
import { expectAccessible } from '#support/documentFixtures.ts'

/** A chat app whose platform offers all that a real one has around a conversation. */
const test = base.extend<{ platform: ChatPlatform; chat: string }>({
  platform: async ({ faultyWorkspace }, use) => {
    const platform = new ChatPlatform()
    faultyWorkspace.platform.script = platform.script
    await use(platform)
  },
  chat: async ({ faultyWorkspace, platform, signedInPage, loupe }, use) => {
    expect(platform.turns).toEqual([])
    const survey = `${loupe.url}/api/workspaces/${faultyWorkspace.id}/keys/${faultyWorkspace.chatKey}/probe`
    const surveyed = await signedInPage.request.post(survey, { headers: { 'x-console': '1' } })
    expect(surveyed.status(), await surveyed.text()).toBe(200)
    await use(faultyWorkspace.chat)
  },
})

test('conversations of the platform stand beside those of the console, and are read, named and deleted', async ({
  signedInPage,
  platform,
  chat,
}) => {
  const old = randomUUID()
  const user = await getEndUser(signedInPage, chat)
  platform.addTurn(old, user, 'An old question', 'An old answer with **weight**')
  platform.addTurn(old, user, 'A second old question', 'A second old answer')
  await signedInPage.goto(chat)
  const list = signedInPage.getByRole('navigation', { name: 'Conversations' })
  const row = list.getByRole('listitem').filter({ hasText: 'old question' })
  await expect(row).toContainText('platform')
  await list.getByRole('button', { name: 'Search conversations' }).click()
  await expect(list.getByRole('searchbox')).toBeFocused()
  expect(await list.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
  await list.getByRole('button', { name: 'Close search' }).click()
  await row.getByRole('link').click()
  await expect(answerArticles(signedInPage)).toHaveText([/An old answer with weight/, /A second old answer/])
  await expect(signedInPage.getByText('Loaded from the platform, without frames.').first()).toBeVisible()

  await send(signedInPage, 'A new question')
  await expect(answerArticles(signedInPage)).toHaveText([
    /An old answer/,
    /A second old answer/,
    /You said: A new question/,
  ])
  await expect(signedInPage.getByText('This console has recorded every turn from here on.')).toBeVisible()
  await signedInPage.reload()
  await expect(answerArticles(signedInPage)).toHaveText([
    /An old answer/,
    /A second old answer/,
    /You said: A new question/,
  ])

  await list.getByRole('listitem').first().hover()
  await list
    .getByRole('button', { name: /^Rename/ })
    .first()
    .click()
  await list.getByRole('textbox', { name: 'Conversation name' }).fill('Of lamps')
  await signedInPage.keyboard.press('Enter')
  await expect(list.getByRole('link', { name: 'Of lamps' })).toBeVisible()
  await list.getByRole('listitem').first().hover()
  await list.getByRole('button', { name: 'Rename Of lamps' }).click()
  await list.getByRole('button', { name: 'Generate name' }).click()
  await expect(list.getByRole('link', { name: 'A name by the platform' })).toBeVisible()

  await list.getByRole('listitem').first().hover()
  await list.getByRole('button', { name: 'Delete A name by the platform' }).click()
  const dialog = signedInPage.getByRole('dialog', { name: 'Delete “A name by the platform”' })
  await expect(dialog).toContainText('with all its messages')
  await dialog.getByRole('button', { name: 'Delete conversation' }).click()
  await expect(signedInPage.getByRole('heading', { name: 'New conversation', level: 1 })).toBeVisible()
  expect(platform.turns).toEqual([])
})

test('a word on the answer stays, a suggestion is sent or edited, and the run can be stopped', async ({
  signedInPage,
  platform,
  chat,
}) => {
  await signedInPage.goto(chat)
  await send(signedInPage, 'What is tea?')
  await expect(answerArticles(signedInPage)).toHaveText([/You said: What is tea\?/])
  await signedInPage.getByRole('button', { name: 'Dislike', exact: true }).click()
  await expect(signedInPage.getByRole('button', { name: 'Dislike', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await expect.poll(() => platform.turns[0]?.rating).toBe('dislike')
  await signedInPage.reload()
  await expect(signedInPage.getByRole('button', { name: 'Dislike', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await signedInPage.getByRole('button', { name: 'Dislike', exact: true }).click()
  await expect.poll(() => platform.turns[0]?.rating).toBe(null)

  await questionField(signedInPage).fill('Not sent yet')
  await signedInPage.getByRole('button', { name: 'Who repairs it?', exact: true }).click()
  await expect(answerArticles(signedInPage).last()).toContainText('You said: Who repairs it?')
  await expect(questionField(signedInPage)).toHaveValue('Not sent yet')
  await signedInPage.getByRole('button', { name: 'Who repairs it?', exact: true }).click({ modifiers: ['Alt'] })
  await expect(questionField(signedInPage)).toHaveValue('Who repairs it?')
  await expect(questionField(signedInPage)).toBeFocused()
  platform.createReply = () => ({ words: Array.from({ length: 400 }, (_, index) => `word${index} `), gap_ms: 100 })
  await questionField(signedInPage).press('Control+Enter')
  await expect(answerArticles(signedInPage).last()).toContainText('word3')
  await signedInPage.getByRole('button', { name: 'Stop run' }).click()
  await expect(signedInPage.getByRole('button', { name: 'Stop run' })).toBeHidden()
  await expect(answerArticles(signedInPage).last().getByRole('button', { name: 'Copy answer' })).toBeVisible()
  expect(platform.stopped.size).toBe(1)
})

test('files go along by URL and by upload, and a draft with its files survives a reload', async ({
  signedInPage,
  platform,
  chat,
}) => {
  platform.parameters = {
    file_upload: {
      enabled: true,
      number_limits: 3,
      allowed_file_types: ['image', 'document'],
      allowed_file_upload_methods: ['remote_url', 'local_file'],
    },
  }
  let letGo = () => undefined as void
  platform.holdBack = () => new Promise((resolve) => (letGo = resolve))
  await signedInPage.goto(chat)
  await questionField(signedInPage).fill('What is this?')
  await signedInPage.getByRole('button', { name: 'Files', exact: true }).click()
  await signedInPage.getByRole('textbox', { name: 'URL of the file' }).fill('https://files.example/lamp.png')
  await signedInPage.keyboard.press('Enter')
  const chosen = signedInPage.waitForEvent('filechooser')
  await signedInPage.getByRole('button', { name: 'Upload' }).click()
  await (await chosen).setFiles({ name: 'log.txt', mimeType: 'text/plain', buffer: Buffer.from('E-17') })
  await expect(signedInPage.getByText(/Uploading log.txt: \d+ %/)).toBeVisible()
  await expect(signedInPage.getByRole('button', { name: 'Send', exact: true })).toBeDisabled()
  await expect.poll(() => letGo.toString()).not.toContain('undefined')
  letGo()
  await expect(signedInPage.getByText(/Uploading/)).toBeHidden()
  await signedInPage.reload()
  await expect(questionField(signedInPage)).toHaveValue('What is this?')
  await expect(signedInPage.getByText('log.txt')).toBeVisible()
  await signedInPage.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(answerArticles(signedInPage)).toHaveText([/You said: What is this\?/])
  const [upload] = platform.uploads
  expect(upload?.user).toBe(platform.turns[0]?.user)
  expect(platform.turns[0]?.files).toEqual([
    { type: 'image', transfer_method: 'remote_url', url: 'https://files.example/lamp.png' },
    { type: 'document', transfer_method: 'local_file', upload_file_id: upload?.id },
  ])
  await expect(signedInPage.getByRole('log').getByText('https://files.example/lamp.png')).toBeVisible()
})

test('steps of an agent and nodes of a chatflow fold open inside the turn', async ({
  signedInPage,
  platform,
  chat,
}) => {
  platform.createReply = () => ({
    words: ['The lamp.'],
    events_before: (ids) => [
      {
        event: 'workflow_started',
        workflow_run_id: ids.task_id,
        data: { id: ids.task_id, workflow_id: 'w', inputs: {} },
      },
      {
        event: 'node_started',
        data: { id: 'n1', node_id: 'search', node_type: 'knowledge-retrieval', title: 'Search the manual', index: 1 },
      },
      {
        event: 'node_finished',
        data: {
          id: 'n1',
          node_id: 'search',
          status: 'succeeded',
          outputs: { found: 'seat 88-2041' },
          elapsed_time: 0.2,
        },
      },
      {
        event: 'agent_thought',
        id: 't1',
        position: 1,
        thought: 'I look it up.',
        tool: 'dataset_search',
        tool_input: '{"query":"lamp"}',
        observation: 'Three passages.',
      },
      {
        event: 'workflow_finished',
        data: { id: ids.task_id, workflow_id: 'w', status: 'succeeded', outputs: {}, elapsed_time: 0.3 },
      },
    ],
  })
  await signedInPage.goto(chat)
  await send(signedInPage, 'Which part?')
  await expect(answerArticles(signedInPage)).toContainText('The lamp.')
  await answerArticles(signedInPage).getByText('1 node', { exact: true }).click()
  await answerArticles(signedInPage).getByText('Search the manual', { exact: true }).click()
  await expect(answerArticles(signedInPage).getByText('seat 88-2041')).toBeVisible()
  await answerArticles(signedInPage).getByText('Agent steps (1)').click()
  await answerArticles(signedInPage).getByText('dataset_search').click()
  await expect(answerArticles(signedInPage).getByText('Three passages.')).toBeVisible()
  await expectAccessible(signedInPage)
})

async function getEndUser(page: Page, chat: string): Promise<string> {
  const session = await page.request.get(`${new URL(chat).origin}/api/session`)
  return ((await session.json()) as { person: { default_user: string } }).person.default_user
}

const questionField = (page: Page) => page.getByRole('textbox', { name: 'Your question' })

async function send(page: Page, question: string): Promise<void> {
  await questionField(page).fill(question)
  await questionField(page).press('Control+Enter')
}

const answerArticles = (page: Page) => page.getByRole('log').getByRole('article', { name: 'Answer' })
