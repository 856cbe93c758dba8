import type { Page } from '@playwright/test'
import { findViolations } from '#support/accessibility.ts'
import { ChatPlatform } from '#support/platforms/chatPlatform.ts'
import { expect, test as base } from '#support/fixtures.ts'

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
  for (const width of [1280, 390]) {
    await signedInPage.setViewportSize({ width, height: 844 })
    expect(await findViolations(signedInPage)).toEqual([])
  }
})

const questionField = (page: Page) => page.getByRole('textbox', { name: 'Your question' })

async function send(page: Page, question: string): Promise<void> {
  await questionField(page).fill(question)
  await questionField(page).press('Control+Enter')
}

const answerArticles = (page: Page) => page.getByRole('log').getByRole('article', { name: 'Answer' })
