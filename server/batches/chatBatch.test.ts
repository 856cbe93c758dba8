import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Batch, BatchRow } from '#contract/console/batches.ts'
import type { Run } from '#contract/console/runs.ts'
import { openWorkbook } from '#domain/spreadsheet/xlsxReader.ts'
import { sendError } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../app.testing.ts'
import { waitForBatch } from './batches.testing.ts'

interface ChatBody {
  query: string
  conversation_id?: string
  inputs: Record<string, unknown>
  files?: unknown[]
  auto_generate_name: boolean
}

describe('a batch of a chat', () => {
  const bench = TestConsole.forFile()
  beforeEach(() => {
    bench.platform.requests.length = 0
    bench.platform.script = ({ body }, response) => {
      const sentBody = JSON.parse(body) as ChatBody
      const refused = sentBody.query.includes('refuse')
      const tokens = sentBody.query.includes('long') ? 2_000_000_000 : 10
      const usage = { total_tokens: tokens, total_price: '0.001', currency: 'USD' }
      if (refused) return sendError(response, 400, { code: 'invalid_param', message: 'No.', status: 400 })
      return sendError(response, 200, {
        event: 'message',
        mode: 'chat',
        message_id: randomUUID(),
        conversation_id: sentBody.conversation_id ?? randomUUID(),
        answer: `About ${sentBody.query}`,
        metadata: { usage },
        created_at: 1_795_000_000,
      })
    }
  })

  const make = async (rows: object[], given: object = {}): Promise<string> => {
    const { id } = await bench.json<Batch>('POST', '/api/batches', {
      key: bench.keys.chat,
      name: 'Conversations',
      total: rows.length,
      settings: { user: 'tester', response_mode: 'blocking' },
      ...given,
    })
    await bench.json('POST', `/api/batches/${id}/rows`, { first: 1, rows })
    return id
  }
  const start = (id: string, given: object = {}) => bench.json<Batch>('POST', `/api/batches/${id}/start`, given)
  const rowsOf = async (id: string) => await bench.list<BatchRow>(`/api/batches/${id}/rows`)
  const sent = () =>
    bench.platform.requests
      .filter(({ path }) => path.endsWith('/chat-messages'))
      .map(({ body }) => JSON.parse(body) as ChatBody)

  it('of an agent app is refused unless it streams', async () => {
    bench.platform.script = (_, response) => sendError(response, 200, { name: 'Agent', mode: 'agent' })
    const path = `/api/workspaces/${bench.workspace}/keys`
    const { id: key } = await bench.json<{ id: string }>('POST', path, {
      kind: 'chat',
      label: 'Agent',
      key: 'app-agent',
    })
    const createBatch = (response_mode: string) =>
      bench.fetch('POST', '/api/batches', { key, name: 'Agent', total: 1, settings: { user: 'tester', response_mode } })
    expect((await createBatch('streaming')).status).toBe(200)
    const refused = await createBatch('blocking')
    expect(refused.status).toBe(400)
    expect(await refused.text()).toContain('must be streaming: agent apps refuse a blocking request')
  })

  it('asks one question per row, each in a conversation of its own, which the platform need not name', async () => {
    const id = await make([
      { inputs: { city: 'Rome' }, turns: ['Where?'] },
      { inputs: {}, turns: ['When?'], file_row: 4 },
    ])
    await start(id)
    expect(await waitForBatch(bench, id, 'ended')).toMatchObject({
      entry: 'chat.send',
      counts: { succeeded: 2 },
      tokens: 20,
    })
    expect(sent()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ query: 'Where?', inputs: { city: 'Rome' }, auto_generate_name: false }) as unknown,
        expect.objectContaining({ query: 'When?' }) as unknown,
      ]),
    )
    expect(sent().some((body) => 'conversation_id' in body)).toBe(false)
    expect(await rowsOf(id)).toMatchObject([
      { number: 1, file_row: 1, title: 'Where?', result: 'About Where?', turns: 1, turn_runs: [] },
      { number: 2, file_row: 4, title: 'When?' },
    ])
  })

  it('asks several turns of a row in order, in the conversation of the first, and each is a run', async () => {
    const file = { type: 'image', transfer_method: 'remote_url', url: 'https://a.example/a.png' }
    const id = await make([
      { inputs: {}, turns: ['One', 'Two', 'Three'], files: [file] },
      { inputs: {}, turns: ['Other', 'Then'] },
    ])
    await start(id)
    const batch = await waitForBatch(bench, id, 'ended')
    expect(batch).toMatchObject({ counts: { succeeded: 2 }, tokens: 50, prices: [{ total: '0.005' }] })
    const conversation = sent().filter(({ query }) => ['One', 'Two', 'Three'].includes(query))
    expect(conversation.map(({ query }) => query)).toEqual(['One', 'Two', 'Three'])
    expect(conversation.map(({ files }) => files?.length ?? 0)).toEqual([1, 0, 0])
    const [row] = await rowsOf(id)
    const ids = [...(row?.turn_runs ?? []), row?.run ?? '']
    expect(row).toMatchObject({ turns: 3, attempts: 1, tokens: 30, price: '0.003', result: 'About Three' })
    const runs = await Promise.all(ids.map((run) => bench.json<Run>('GET', `/api/runs/${run}`)))
    expect(runs.map(({ title }) => title)).toEqual(['One', 'Two', 'Three'])
    expect(new Set(runs.map(({ conversation_id }) => conversation_id)).size).toBe(1)
    expect(conversation.slice(1).every((body) => body.conversation_id === runs[0]?.conversation_id)).toBe(true)
    const exported = await (await bench.fetch('GET', `/api/batches/${id}/export?format=csv`)).text()
    expect(exported.split('\r\n')[0]).toContain('turn_1,turn_2,turn_3,answer_1,answer_2,answer_3')
    expect(exported).toContain('One,Two,Three,About One,About Two,About Three')
  })

  it('ends where its turns used more tokens than an integer of the database holds', async () => {
    const id = await make([{ inputs: {}, turns: ['One long', 'Two long'] }])
    await start(id)
    expect(await waitForBatch(bench, id, 'ended')).toMatchObject({ counts: { succeeded: 1 }, tokens: 2_147_483_647 })
  })

  it('comes back as a workbook with the columns of its file, its rows numbered as there, and no formula', async () => {
    const columns = [
      { name: 'id', target: null },
      { name: 'ask', target: { turn: 1 } },
    ]
    const row = { inputs: {}, turns: ['=Where?'], beside: { id: '007' }, file_row: 3 }
    const id = await make([row], { source: { name: 'a.xlsx', rows: 4, columns } })
    await start(id)
    expect(await waitForBatch(bench, id, 'ended')).toMatchObject({ source: { rows: 4, columns } })
    const response = await bench.fetch('GET', `/api/batches/${id}/export?format=xlsx`)
    expect(response.headers.get('content-type')).toContain('spreadsheetml.sheet')
    const { rows, formulas } = openWorkbook(new Uint8Array(await response.arrayBuffer()), { maxRows: 10 }).read()
    expect(rows[0]?.cells.slice(0, 5)).toEqual(['id', 'ask', 'row', 'state', 'answer'])
    expect(rows[1]?.cells.slice(0, 5)).toEqual(['007', '=Where?', '3', 'succeeded', 'About =Where?'])
    expect(formulas.count).toBe(0)
  })

  it('is exported without a key that somebody typed into a question', async () => {
    const id = await make([{ inputs: {}, turns: [`Is ${bench.secretKey}-chat my key?`] }])
    await start(id)
    await waitForBatch(bench, id, 'ended')
    const read = (format: string) => bench.fetch('GET', `/api/batches/${id}/export?format=${format}`)
    const { rows } = openWorkbook(new Uint8Array(await (await read('xlsx')).arrayBuffer()), { maxRows: 10 }).read()
    for (const text of [await (await read('csv')).text(), await (await read('jsonl')).text(), JSON.stringify(rows)]) {
      expect(text).toContain('my key?')
      expect(text).not.toContain(bench.secretKey)
    }
  })

  it('sends no further turn after one that failed, and begins the conversation again on a retry', async () => {
    const id = await make([{ inputs: {}, turns: ['One', 'refuse', 'Three'] }])
    await start(id)
    expect(await waitForBatch(bench, id, 'ended')).toMatchObject({ counts: { failed: 1 } })
    expect(sent().map(({ query }) => query)).toEqual(['One', 'refuse'])
    const [before] = await rowsOf(id)
    await bench.json('POST', `/api/batches/${id}/retry`, { states: ['failed'] })
    await waitForBatch(bench, id, 'ended')
    expect(sent().map(({ query }) => query)).toEqual(['One', 'refuse', 'One', 'refuse'])
    expect(sent()[2]).not.toHaveProperty('conversation_id')
    const [after] = await rowsOf(id)
    expect(after).toMatchObject({ state: 'failed', tokens: 10 })
    const again = await bench.json<Run>('GET', `/api/runs/${after?.turn_runs[0]}`)
    expect(again.parent).toBe(before?.turn_runs[0])
  })

  it('pauses between two turns, and goes on with the next', async () => {
    const id = await make([{ inputs: {}, turns: ['One', 'Two'] }])
    bench.platform.script = ((script) => async (seen, response) => {
      await bench.json('POST', `/api/batches/${id}/pause`)
      await script?.(seen, response)
    })(bench.platform.script)
    await start(id)
    await vi.waitFor(() => expect(sent()).toHaveLength(1))
    await waitForBatch(bench, id, 'paused')
    expect(await rowsOf(id)).toMatchObject([{ state: 'waiting', turns: 2, result: 'About One', tokens: 10 }])
    await start(id)
    await vi.waitFor(() => expect(sent()).toHaveLength(2))
    expect(sent()[1]?.conversation_id).toBeDefined()
  })

  it('refuses rows without a question, and questions for an app that takes none', async () => {
    const refusal = async (rows: object[], given: object = {}) => {
      const { id } = await bench.json<Batch>('POST', '/api/batches', {
        key: bench.keys.chat,
        name: 'Wrong',
        total: 1,
        settings: { user: 'tester' },
        ...given,
      })
      const response = await bench.fetch('POST', `/api/batches/${id}/rows`, { first: 1, rows })
      return [response.status, ((await response.json()) as { message: string }).message]
    }
    expect(await refusal([{ inputs: {} }])).toEqual([400, expect.stringContaining('turns')])
    expect(await refusal([{ inputs: {}, turns: [] }])).toEqual([400, expect.stringContaining('turns')])
    expect(await refusal([{ inputs: {}, turns: [''] }])).toEqual([400, expect.stringContaining('turns')])
    expect(await refusal([{ inputs: {}, turns: ['a'] }], { key: bench.keys.completion })).toEqual([
      400,
      expect.stringContaining('turns'),
    ])
  })
})
