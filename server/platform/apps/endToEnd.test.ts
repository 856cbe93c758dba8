import { expect, test } from 'vitest'
import { setupPlatform } from '../datasets/platform.fixture.ts'
import { joinAnswer, getTestKey, readStream, type TestStreamEvent } from './apps.fixture.ts'

/** The two halves of the platform together: what is put into a dataset is what is answered from. */

const platform = setupPlatform()

async function ask(query: string): Promise<TestStreamEvent[]> {
  const reply = await platform.app.inject({
    method: 'POST',
    url: '/v1/chat-messages',
    headers: { authorization: `Bearer ${getTestKey('chat')}` },
    payload: { query, user: 'ada', inputs: {}, response_mode: 'streaming' },
  })
  expect(reply.headers['content-type']).toMatch(/^text\/event-stream/)
  expect(reply.headers['x-version']).toBe('0.0.0')
  return readStream(reply.body)
}

test('an answer cites the segment that it quotes, in English and in Chinese, and counts the hit', async () => {
  const { newDataset, addText, send } = platform
  const dataset = await newDataset({ indexing_technique: 'economy' })
  const text = 'The mill was built in 1902. Its wheel is of oak.\n\nThe inn has six rooms and a garden behind it.'
  const english = await addText(dataset, text, { name: 'Village', indexing_technique: 'economy' })
  await addText(dataset, '水车由橡木制成。客栈有六间客房。', { name: '村庄', indexing_technique: 'economy' })
  const events = await ask('When was the mill built?')
  expect(joinAnswer(events)).toContain('The mill was built in 1902. [1]')
  const { metadata } = events.at(-1) as unknown as { metadata: { retriever_resources: Record<string, string>[] } }
  const [cited] = metadata.retriever_resources
  expect(cited).toMatchObject({
    position: 1,
    dataset_id: dataset,
    document_name: 'Village',
    document_id: english['id'],
  })
  const path = `/datasets/${dataset}/documents/${String(english['id'])}/segments/${cited?.['segment_id']}`
  const segment = await send('GET', path)
  expect(segment.body['data']).toMatchObject({ content: cited?.['content'] })
  expect(Number(segment.body['data']?.['hit_count'])).toBeGreaterThan(0)
  expect(joinAnswer(await ask('客栈有多少间客房？'))).toMatch(/^客栈有六间客房。 \[\d\]$/)
})

test('what is disabled or deleted is answered from no longer', async () => {
  const { newDataset, addText, send } = platform
  const dataset = await newDataset({ indexing_technique: 'economy' })
  const document = await addText(dataset, 'The zeppelin flies on Tuesdays.', { indexing_technique: 'economy' })
  expect(joinAnswer(await ask('When does the zeppelin fly?'))).toBe('The zeppelin flies on Tuesdays. [1]')
  await platform.setStatus(dataset, 'disable', [document['id']])
  expect(joinAnswer(await ask('When does the zeppelin fly?'))).not.toContain('Tuesdays')
  await platform.setStatus(dataset, 'enable', [document['id']])
  expect(joinAnswer(await ask('When does the zeppelin fly?'))).toContain('Tuesdays')
  await send('DELETE', `/datasets/${dataset}/documents/${String(document['id'])}`)
  expect(joinAnswer(await ask('When does the zeppelin fly?'))).not.toContain('Tuesdays')
})

test('a workflow looks up the same documents', async () => {
  const { newDataset, addText, app } = platform
  const dataset = await newDataset({ indexing_technique: 'economy' })
  await addText(dataset, 'The lighthouse keeper owns three goats.', { indexing_technique: 'economy' })
  const reply = await app.inject({
    method: 'POST',
    url: '/v1/workflows/run',
    headers: { authorization: `Bearer ${getTestKey('workflow')}` },
    payload: {
      inputs: { query: 'How many goats does the lighthouse keeper own?' },
      user: 'ada',
      response_mode: 'blocking',
    },
  })
  expect(reply.json()).toMatchObject({
    data: { status: 'succeeded', outputs: { answer: 'The lighthouse keeper owns three goats. [1]' } },
  })
})
