import { randomUUID } from 'node:crypto'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { ChatPlatform } from './faults/chat.ts'
import { expect, test as base } from './fixtures.ts'

/** A chat app whose platform offers all that a real one has around a conversation. */
const test = base.extend<{ platform: ChatPlatform; chat: string }>({
  platform: async ({ faults }, use) => {
    const platform = new ChatPlatform()
    faults.platform.script = platform.script
    await use(platform)
  },
  chat: async ({ faults, platform, desk, loupe }, use) => {
    expect(platform.said).toEqual([])
    const survey = `${loupe.url}/api/workspaces/${faults.id}/keys/${faults.chatKey}/survey`
    const surveyed = await desk.request.post(survey, { headers: { 'x-console': '1' } })
    expect(surveyed.status(), await surveyed.text()).toBe(200)
    await use(faults.chat)
  },
})

test('conversations of the platform stand beside those of the console, and are read, named and deleted', async ({
  desk,
  platform,
  chat,
}) => {
  const old = randomUUID()
  const user = await userOf(desk, chat)
  platform.tell(old, user, 'An old question', 'An old answer with **weight**')
  platform.tell(old, user, 'A second old question', 'A second old answer')
  await desk.goto(chat)
  const list = desk.getByRole('navigation', { name: 'Conversations' })
  const row = list.getByRole('listitem').filter({ hasText: 'old question' })
  await expect(row).toContainText('platform')
  await row.getByRole('link').click()
  await expect(answers(desk)).toHaveText([/An old answer with weight/, /A second old answer/])
  await expect(desk.getByText('This console has no frames of it.').first()).toBeVisible()

  await send(desk, 'A new question')
  await expect(answers(desk)).toHaveText([/An old answer/, /A second old answer/, /You said: A new question/])
  await expect(desk.getByText('From here on this console has seen every turn.')).toBeVisible()
  await desk.reload()
  await expect(answers(desk)).toHaveText([/An old answer/, /A second old answer/, /You said: A new question/])

  await list.getByRole('listitem').first().hover()
  await list
    .getByRole('button', { name: /^Rename/ })
    .first()
    .click()
  await list.getByRole('textbox', { name: 'Name of the conversation' }).fill('Of lamps')
  await desk.keyboard.press('Enter')
  await expect(list.getByRole('link', { name: 'Of lamps' })).toBeVisible()
  await list.getByRole('listitem').first().hover()
  await list.getByRole('button', { name: 'Rename Of lamps' }).click()
  await list.getByRole('button', { name: 'Let the platform name it' }).click()
  await expect(list.getByRole('link', { name: 'A name by the platform' })).toBeVisible()

  await list.getByRole('listitem').first().hover()
  await list.getByRole('button', { name: 'Delete A name by the platform' }).click()
  const dialog = desk.getByRole('dialog', { name: 'Delete A name by the platform?' })
  await expect(dialog).toContainText('with all its messages')
  await dialog.getByRole('button', { name: 'Delete the conversation' }).click()
  await expect(desk.getByRole('heading', { name: 'New conversation', level: 1 })).toBeVisible()
  expect(platform.said).toEqual([])
})

test('a word on the answer stays, suggestions come into the field, and the run can be stopped', async ({
  desk,
  platform,
  chat,
}) => {
  await desk.goto(chat)
  await send(desk, 'What is tea?')
  await expect(answers(desk)).toHaveText([/You said: What is tea\?/])
  await desk.getByRole('button', { name: 'Dislike', exact: true }).click()
  await expect(desk.getByRole('button', { name: 'Dislike', exact: true })).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(() => platform.said[0]?.rating).toBe('dislike')
  await desk.reload()
  await expect(desk.getByRole('button', { name: 'Dislike', exact: true })).toHaveAttribute('aria-pressed', 'true')
  await desk.getByRole('button', { name: 'Dislike', exact: true }).click()
  await expect.poll(() => platform.said[0]?.rating).toBe(null)

  await desk.getByRole('button', { name: 'Who repairs it?' }).click()
  await expect(field(desk)).toHaveValue('Who repairs it?')
  await expect(field(desk)).toBeFocused()
  platform.speak = () => ({ words: Array.from({ length: 400 }, (_, index) => `word${index} `), gap: 100 })
  await field(desk).press('Control+Enter')
  await expect(answers(desk).last()).toContainText('word3')
  await desk.getByRole('button', { name: 'Stop the run' }).click()
  await expect(desk.getByRole('button', { name: 'Stop the run' })).toBeHidden()
  await expect(answers(desk).last().getByRole('button', { name: 'Copy the answer' })).toBeVisible()
  expect(platform.stopped.size).toBe(1)
})

test('steps of an agent and nodes of a chatflow fold open inside the turn', async ({ desk, platform, chat }) => {
  platform.speak = () => ({
    words: ['The lamp.'],
    before: (ids) => [
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
  await desk.goto(chat)
  await send(desk, 'Which part?')
  await expect(answers(desk)).toContainText('The lamp.')
  await answers(desk).getByText('1 node', { exact: true }).click()
  await answers(desk).getByText('Search the manual', { exact: true }).click()
  await expect(answers(desk).getByText('seat 88-2041')).toBeVisible()
  await answers(desk).getByText('1 step of the agent').click()
  await answers(desk).getByText('dataset_search').click()
  await expect(answers(desk).getByText('Three passages.')).toBeVisible()
  for (const width of [1280, 390]) {
    await desk.setViewportSize({ width, height: 844 })
    const { violations } = await new AxeBuilder({ page: desk }).analyze()
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  }
})

test('files go along by URL and by upload, and a draft with its files survives a reload', async ({
  desk,
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
  platform.hold = () => new Promise((resolve) => (letGo = resolve))
  await desk.goto(chat)
  await field(desk).fill('What is this?')
  await desk.getByRole('button', { name: 'Files', exact: true }).click()
  await desk.getByRole('textbox', { name: 'URL of the file' }).fill('https://files.example/lamp.png')
  await desk.keyboard.press('Enter')
  const chosen = desk.waitForEvent('filechooser')
  await desk.getByRole('button', { name: 'Upload' }).click()
  await (await chosen).setFiles({ name: 'log.txt', mimeType: 'text/plain', buffer: Buffer.from('E-17') })
  await expect(desk.getByText(/log.txt: \d+ % has left the browser/)).toBeVisible()
  await expect(desk.getByRole('button', { name: 'Send' })).toBeDisabled()
  await expect.poll(() => letGo.toString()).not.toContain('undefined')
  letGo()
  await expect(desk.getByText(/has left the browser/)).toBeHidden()
  await desk.reload()
  await expect(field(desk)).toHaveValue('What is this?')
  await expect(desk.getByText('log.txt')).toBeVisible()
  await desk.getByRole('button', { name: 'Send' }).click()
  await expect(answers(desk)).toHaveText([/You said: What is this\?/])
  const [upload] = platform.uploads
  expect(upload?.user).toBe(platform.said[0]?.user)
  expect(platform.said[0]?.files).toEqual([
    { type: 'image', transfer_method: 'remote_url', url: 'https://files.example/lamp.png' },
    { type: 'document', transfer_method: 'local_file', upload_file_id: upload?.id },
  ])
  await expect(desk.getByRole('log').getByText('https://files.example/lamp.png')).toBeVisible()
})

test('what is typed while the first answer comes stays in the field', async ({ desk, platform, chat }) => {
  platform.speak = () => ({ words: Array.from({ length: 30 }, (_, index) => `word${index} `), gap: 60 })
  await desk.goto(chat)
  await send(desk, 'What is tea?')
  await field(desk).fill('And coffee?')
  await expect(answers(desk)).toContainText('word29')
  await expect(desk).toHaveURL(/conversation=/)
  await expect(field(desk)).toHaveValue('And coffee?')
})

async function userOf(page: Page, chat: string): Promise<string> {
  const session = await page.request.get(`${new URL(chat).origin}/api/session`)
  return ((await session.json()) as { person: { default_user: string } }).person.default_user
}

const field = (page: Page) => page.getByRole('textbox', { name: 'Your question' })
async function send(page: Page, question: string): Promise<void> {
  await field(page).fill(question)
  await field(page).press('Control+Enter')
}
const answers = (page: Page) => page.getByRole('log').getByRole('article', { name: 'Answer' })
