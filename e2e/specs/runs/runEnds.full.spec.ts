import {
  createAnswerIds,
  openStream,
  sendError,
  toEventBlock,
  toMessageBlock,
} from '#support/platforms/scriptedPlatform.ts'
import { expect, test } from '#support/fixtures.ts'

const QUESTION = 'Tell me a long story.'

test('a stopped answer is stopped everywhere, and its zeros are not given', async ({
  signedInPage,
  faultyWorkspace,
  loupe,
}) => {
  const ids = createAnswerIds()
  const stopped = Promise.withResolvers<void>()
  faultyWorkspace.platform.script = async (seen, response) => {
    if (seen.path.endsWith('/stop')) {
      sendError(response, 200, { result: 'success' })
      return stopped.resolve()
    }
    if (seen.method === 'GET')
      return sendError(response, 404, { code: 'not_found', message: 'Not found.', status: 404 })
    openStream(response)
    for (const word of ['word0 ', 'word1 ', 'word2 ']) response.write(toMessageBlock(ids, word))
    await stopped.promise
    const usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0, total_price: '0E-7', currency: 'USD' }
    response.end(toEventBlock({ event: 'message_end', ...ids, id: ids.message_id, metadata: { usage } }))
  }
  await signedInPage.goto(faultyWorkspace.chat)
  await signedInPage.getByRole('textbox', { name: 'Your question' }).fill(QUESTION)
  await signedInPage.keyboard.press('Control+Enter')
  const answer = signedInPage.getByRole('log').getByRole('article').last()
  await expect(answer).toContainText('word2')
  const question = faultyWorkspace.platform.requests.find(({ path }) => path.endsWith('/chat-messages'))
  const { user } = JSON.parse(question?.body ?? '{}') as { user: string }
  await signedInPage.request.post(
    `${loupe.url}/api/keys/${faultyWorkspace.chatKey}/chat-messages/${ids.task_id}/stop`,
    { headers: { 'x-console': '1' }, data: { user } },
  )
  const words = /Stopped by .+ after frame 3\. What came is kept\./
  await expect(answer.getByRole('status').first()).toContainText(words)
  await expect(answer).toContainText('price not given')
  await expect(answer).not.toContainText('0E-7')

  await signedInPage.goto(`${loupe.url}/runs?workspace=${faultyWorkspace.id}`)
  const row = signedInPage.getByRole('row').filter({ hasText: QUESTION })
  await expect(row).toContainText('stopped')
  await row.getByRole('link', { name: QUESTION }).click()
  await expect(signedInPage.getByRole('tabpanel', { name: 'Result' })).toContainText(words)
  await expect(signedInPage.getByRole('tabpanel', { name: 'Result' })).toContainText('price not given')

  await signedInPage.goto(loupe.url)
  await expect(signedInPage.getByRole('row').filter({ hasText: QUESTION }).first()).toContainText('stopped')
})

test('a paused chatflow waits for a person, and its end can be asked for', async ({
  signedInPage,
  faultyWorkspace,
}) => {
  const ids = createAnswerIds()
  const workflow_run_id = 'b7f7ee1c-6f0f-4d5f-9a59-5e16f2f0a3c1'
  const event = (name: string, data: object) =>
    toEventBlock({ event: name, ...ids, workflow_run_id, data: { id: workflow_run_id, ...data } })
  faultyWorkspace.platform.script = (seen, response) => {
    if (seen.method === 'GET')
      return sendError(response, 404, { code: 'not_found', message: 'Not found.', status: 404 })
    openStream(response)
    response.write(event('workflow_started', { workflow_id: 'w', created_at: 1_795_000_000 }))
    response.write(event('node_started', { id: 'e1', node_id: 'human', node_type: 'human-input', title: 'Ask' }))
    response.end(event('workflow_paused', { status: 'paused', paused_nodes: ['human'], reasons: [] }))
  }
  await signedInPage.goto(faultyWorkspace.chat)
  await signedInPage.getByRole('textbox', { name: 'Your question' }).fill('May I?')
  await signedInPage.keyboard.press('Control+Enter')
  const answer = signedInPage.getByRole('log').getByRole('article').last()
  await expect(answer.getByRole('status').first()).toContainText('waits for a person')
  await expect(answer).toContainText('Ask the platform')
  await expect(answer).not.toContainText('interrupted')
})
