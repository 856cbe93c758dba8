import { expect, test } from 'vitest'
import { joinAnswer } from '../apps.fixture.ts'
import { setupApps } from '../serveApps.fixture.ts'

const { serve, serveModel, readMessageRow } = setupApps()
const TEXT = 'The mill stands by the river. A cat sleeps in the loft. The river drives the mill by a wheel.'

test('without a model a text is summarised by its own sentences, and the reply says so', async () => {
  const platform = await serve()
  const { body } = await platform.call('completion', 'POST', '/completion-messages', {
    inputs: { query: TEXT, length: 'short', focus: 'cat' },
    user: 'ada',
    response_mode: 'blocking',
  })
  expect(body).toMatchObject({ answer: 'A cat sleeps in the loft.', metadata: { model: 'extractive' } })
  expect(await readMessageRow(body['id'])).toMatchObject({
    conversation_id: null,
    status: 'normal',
    inputs: { length: 'short', list: 'no' },
  })
})

test('it streams, without a conversation', async () => {
  const platform = await serve()
  const events = await platform.stream('completion', '/completion-messages', {
    inputs: { query: TEXT, length: 'long', list: 'yes' },
    user: 'ada',
  })
  expect(joinAnswer(events).split('\n')).toHaveLength(3)
  expect(events.every((event) => !('conversation_id' in event))).toBe(true)
  expect(events.at(-1)?.event).toBe('message_end')
})

test('with a model the prompt of the application is sent', async () => {
  const { endpoint, platform } = await serveModel({ pieces: ['Short.'] })
  const body = { inputs: { query: TEXT, length: 'short' }, user: 'ada' }
  expect(joinAnswer(await platform.stream('completion', '/completion-messages', body))).toBe('Short.')
  expect(JSON.stringify(endpoint.calls[0]?.body['messages'])).toMatch(/Length: short.*The mill stands/)
})

test('upstream’s older field `query` is taken beside the inputs', async () => {
  const platform = await serve()
  const body = { inputs: { length: 'short' }, query: 'One sentence.', user: 'ada' }
  expect(joinAnswer(await platform.stream('completion', '/completion-messages', body))).toBe('One sentence.')
})
