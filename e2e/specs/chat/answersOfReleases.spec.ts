import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { askQuestion, getAnswerText, lastAnswer } from '#support/chatPage.ts'
import {
  createAnswerIds,
  openStream,
  type PlatformScript,
  sendError,
  toEventBlock,
  toMessageBlock,
  toMessageEndBlock,
} from '#support/platforms/scriptedPlatform.ts'
import { expect, test } from '#support/fixtures.ts'

const workflow_run_id = randomUUID()
const ids = createAnswerIds()
const workflow = (event: string, data: object) =>
  toEventBlock({ event, task_id: ids.task_id, workflow_run_id, data: { id: workflow_run_id, ...data } })
const started = workflow('workflow_started', { workflow_id: 'w', inputs: {}, created_at: ids.created_at })

const answerWith =
  (onQuestion: (response: ServerResponse) => void, onEvents?: (response: ServerResponse) => void): PlatformScript =>
  (seen, response) => {
    if (seen.path.endsWith('/chat-messages')) {
      openStream(response)
      return onQuestion(response)
    }
    if (!onEvents || !seen.path.includes('/events?'))
      return sendError(response, 404, { code: 'not_found', message: 'Not found.', status: 404 })
    openStream(response)
    onEvents(response)
  }

test('an answer before the workflow of a chatflow succeeded, and says so', async ({
  signedInPage: page,
  faultyWorkspace,
}) => {
  const failed = {
    status: 'failed',
    outputs: null,
    total_steps: 0,
    error: 'Workflow stream ended without a terminal event',
  }
  faultyWorkspace.platform.script = answerWith((response) =>
    response.end(
      [
        'event: ping\n\n',
        toMessageBlock(ids, 'We open at nine.'),
        toMessageEndBlock(ids),
        started,
        workflow('workflow_finished', failed),
      ].join(''),
    ),
  )
  await page.goto(faultyWorkspace.chat)
  await askQuestion(page)
  await expect(lastAnswer(page).getByText('Answered before the workflow ran')).toBeVisible()
  await expect(lastAnswer(page).getByText('We open at nine.')).toBeVisible()
  await expect(lastAnswer(page).getByText(/refused|without a terminal event/)).toHaveCount(0)
})

test('the words of an agent before a tool call stand in its steps', async ({ signedInPage: page, faultyWorkspace }) => {
  const say = (answer: string) => toEventBlock({ event: 'agent_message', ...ids, id: ids.message_id, answer })
  const think = (id: string, position: number, tool = '') =>
    toEventBlock({ event: 'agent_thought', ...ids, id, position, thought: '', tool, tool_input: '', observation: '' })
  faultyWorkspace.platform.script = answerWith((response) =>
    response.end(
      [
        think('a', 1),
        say('Let me check the shop. '),
        think('b', 2, 'shell_run'),
        think('c', 3),
        say('It opens at nine.'),
        toMessageBlock(ids, 'It opens at nine.'),
        toMessageEndBlock(ids),
      ].join(''),
    ),
  )
  await page.goto(faultyWorkspace.chat)
  await askQuestion(page)
  await lastAnswer(page).getByText('Agent steps (3)').click()
  await expect(lastAnswer(page).getByText('Let me check the shop.').first()).toBeVisible()
  expect(await getAnswerText(page)).toBe('It opens at nine.')
})

test('a gap is marked in the text while the run goes on, and filled at its end', async ({
  signedInPage: page,
  faultyWorkspace,
}) => {
  let finish = () => undefined as void
  faultyWorkspace.platform.script = answerWith(
    (response) => {
      response.write(started + toMessageBlock(ids, 'word0 word1 '))
      setTimeout(() => response.destroy(), 500)
    },
    (response) => {
      response.write(started + toMessageBlock(ids, 'word8 word9'))
      const outputs = { answer: 'word0 word1 word2 word8 word9' }
      finish = () =>
        void response.end(toMessageEndBlock(ids) + workflow('workflow_finished', { status: 'succeeded', outputs }))
    },
  )
  await page.goto(faultyWorkspace.chat)
  await askQuestion(page)
  await expect(lastAnswer(page).getByText('text may be missing here')).toBeVisible()
  await expect(lastAnswer(page)).toContainText('word8 word9')
  finish()
  await expect(lastAnswer(page).getByText('word0 word1 word2 word8 word9')).toBeVisible()
  await expect(lastAnswer(page).getByText('text may be missing here')).toHaveCount(0)
  await expect(page.getByRole('listitem').filter({ hasText: 'were missed' })).toContainText('platform’s record')
})
