import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Batch, BatchRow } from '#contract/console/batches.ts'
import type { Run } from '#contract/console/runs.ts'
import {
  createAnswerIds,
  openStream,
  type RecordedRequest,
  sendError,
  toMessageBlock,
  toMessageEndBlock,
} from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../app.testing.ts'
import type { CallRow } from '../ledger/callRow.ts'
import { waitForBatch } from './batches.testing.ts'

type BatchInput = {
  id?: string
  settings?: Batch['settings']
  total?: number
  max_rows?: number
  max_tokens?: number
  max_price?: number | null
  at_once?: number
}

describe('a batch', () => {
  const bench = TestConsole.forFile()
  beforeEach(() => {
    bench.platform.requests.length = 0
    bench.platform.script = (seen, response) => answer(seen, response)
  })

  const answer = ({ body }: RecordedRequest, response: ServerResponse, usage: object | null = toUsage(10)) => {
    const { text } = parseInputs(body)
    const reply = { event: 'message', message_id: randomUUID(), mode: 'completion', answer: `About ${text}` }
    sendError(response, 200, { ...reply, metadata: usage ? { usage } : {}, created_at: 1_795_000_000 })
  }
  const make = async (rows: object[], given: BatchInput = {}): Promise<Batch> => {
    const batch = await bench.json<Batch>('POST', '/api/batches', {
      key: bench.keys.completion,
      name: 'Texts',
      total: rows.length,
      settings: { user: 'tester', response_mode: 'blocking' },
      ...given,
    })
    if (rows.length > 0) await add(batch.id, rows)
    return batch
  }
  const add = (id: string, rows: object[], first = 1, files?: object[]) =>
    bench.json('POST', `/api/batches/${id}/rows`, { first, rows: rows.map((inputs) => ({ inputs, files })) })
  const start = (id: string, given: object = {}) => bench.json<Batch>('POST', `/api/batches/${id}/start`, given)
  const read = (id: string) => bench.json<Batch>('GET', `/api/batches/${id}`)
  const rowsOf = async (id: string) => await bench.list<BatchRow>(`/api/batches/${id}/rows?limit=200`)
  const texts = (count: number) => Array.from({ length: count }, (_, index) => ({ text: `row ${index + 1}` }))
  const sent = () => bench.platform.requests.filter(({ path }) => path.endsWith('/completion-messages'))

  it('sends each row once, never more at once than it may, and each is a run of the ledger', async () => {
    let open = 0
    let maxOpen = 0
    const waiting: (() => void)[] = []
    bench.platform.script = (seen, response) => {
      maxOpen = Math.max(maxOpen, ++open)
      waiting.push(() => {
        open--
        answer(seen, response)
      })
      // Each third is answered when the next has come: a group that waits for its slowest would stand here for ever.
      if (waiting.length >= 3 || sent().length >= 23) for (const go of waiting.splice(0)) go()
    }
    const { id } = await make(texts(25), { at_once: 3 })
    expect(await read(id)).toMatchObject({ state: 'paused', pause: 'not_started', counts: { waiting: 25 } })
    await start(id)
    const batch = await waitForBatch(bench, id, 'ended')
    expect(batch).toMatchObject({ counts: { succeeded: 25, waiting: 0 }, tokens: 250, tokens_rows: 25 })
    expect(batch.prices).toEqual([{ currency: 'USD', total: '0.025', rows: 25 }])
    expect(maxOpen).toBe(3)
    expect(sent().map(({ body }) => parseInputs(body).text)).toHaveLength(25)
    expect(new Set(sent().map(({ body }) => parseInputs(body).text)).size).toBe(25)
    const rows = await rowsOf(id)
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 25 }, (_, index) => index + 1))
    const run = await bench.json<Run>('GET', `/api/runs/${rows[6]?.run}`)
    expect(run).toMatchObject({ status: 'succeeded', title: 'row 7', person: 'admin', user: 'tester' })
    expect(rows[6]).toMatchObject({ title: 'row 7', result: 'About row 7', tokens: 10, attempts: 1 })
  })

  it.each(['running', 'paused'] as const)(
    'ends without the rows that wait when it is cancelled while %s',
    async (state) => {
      const answers: (() => void)[] = []
      bench.platform.script = (seen, response) => void answers.push(() => answer(seen, response))
      const { id } = await make(texts(3), { at_once: 1 })
      await start(id)
      await vi.waitFor(() => expect(answers).toHaveLength(1))
      if (state === 'paused') await bench.json('POST', `/api/batches/${id}/pause`)
      const cancelled = await bench.json<Batch>('POST', `/api/batches/${id}/cancel`)
      expect(cancelled).toMatchObject({ state, counts: { running: 1, stopped: 2 } })
      answers[0]?.()
      expect(await waitForBatch(bench, id, 'ended')).toMatchObject({ counts: { succeeded: 1, stopped: 2 } })
      expect(sent()).toHaveLength(1)
    },
  )

  it('ends at once when it is cancelled before it has started, and its rows can be sent again', async () => {
    const { id } = await make(texts(2))
    expect(await bench.json<Batch>('POST', `/api/batches/${id}/cancel`)).toMatchObject({ state: 'ended', pause: null })
    await bench.json('POST', `/api/batches/${id}/retry`, { states: ['stopped'] })
    expect(await waitForBatch(bench, id, 'ended')).toMatchObject({ counts: { succeeded: 2 } })
  })

  it('calls with the key, the operation and the settings of a row that has its own', async () => {
    const { id } = await make(texts(2))
    const input = {
      inputs: { text: 'mine' },
      entry: 'workflows.run',
      settings: { user: 'ann', response_mode: 'blocking' },
    }
    await bench.query(`UPDATE batch_rows SET key_id = $2, input = $3 WHERE batch_id = $1 AND number = 2`, [
      id,
      bench.keys.workflow,
      JSON.stringify(input),
    ])
    await start(id)
    await waitForBatch(bench, id, 'ended')
    const own = bench.platform.requests.find(({ path }) => path.endsWith('/workflows/run'))
    expect(JSON.parse(own?.body ?? '{}')).toMatchObject({ inputs: { text: 'mine' }, user: 'ann' })
    const [, row] = await rowsOf(id)
    const run = await bench.query<Pick<CallRow, 'key_id'>>('SELECT key_id FROM calls WHERE id = $1', [row?.run])
    expect(run).toEqual([{ key_id: bench.keys.workflow }])
    expect(sent()).toHaveLength(1)
  })

  it('has a row stopped that a person stopped, with who and after which frame', async () => {
    const ids = createAnswerIds()
    const stopped = Promise.withResolvers<void>()
    bench.platform.script = async ({ path }, response) => {
      if (path.endsWith('/stop')) {
        sendError(response, 200, { result: 'success' })
        return stopped.resolve()
      }
      openStream(response)
      for (const word of ['one ', 'two ']) response.write(toMessageBlock(ids, word))
      await stopped.promise
      response.end(toMessageEndBlock(ids, { usage: { total_tokens: 0, total_price: '0', currency: 'USD' } }))
    }
    const settings = { user: 'tester', response_mode: 'streaming' as const }
    const { id } = await make(texts(1), { settings })
    await start(id)
    const run = await vi.waitFor(async () => {
      const [row] = await rowsOf(id)
      const data = await bench.list<unknown>(`/api/runs/${row?.run}/frames`)
      expect(data).toHaveLength(2)
      return row?.run
    })
    const path = `/api/keys/${bench.keys.completion}/completion-messages/${ids.task_id}/stop`
    await bench.json('POST', path, { user: 'tester' })
    expect(await waitForBatch(bench, id, 'ended')).toMatchObject({ counts: { stopped: 1, succeeded: 0 } })
    const expected = { state: 'stopped', run, result: 'one two ', stop: { after_frame: 2, had_effect: true } }
    expect(await rowsOf(id)).toMatchObject([expected])
    const filtered = await bench.json<{ data: BatchRow[] }>('GET', `/api/batches/${id}/rows?state=stopped`)
    expect(filtered.data).toMatchObject([{ ...expected, stop: { person: 'admin' } }])
  })

  it('has the platform’s reason for an answer that may be cut, beside the answer', async () => {
    const usage = { ...toUsage(0), total_price: '0E-7', completion_unit_price: '0.002', latency: 1.2 }
    bench.platform.script = (seen, response) => answer(seen, response, usage)
    const { id } = await make(texts(1))
    await start(id)
    expect(await waitForBatch(bench, id, 'ended')).toMatchObject({ counts: { succeeded: 1 }, tokens: null, prices: [] })
    expect(await rowsOf(id)).toMatchObject([
      {
        state: 'succeeded',
        result: 'About row 1',
        tokens: null,
        problem: { kind: 'cut', message: 'The answer ended without usage figures and may be cut.' },
      },
    ])
  })

  it('sends files beside the inputs, and exports them', async () => {
    const files = [{ type: 'image', transfer_method: 'remote_url', url: 'https://a.example/a.png' }]
    const { id } = await make([], { total: 2 })
    await add(id, [{ text: 'a' }], 1, files)
    await add(id, [{ text: 'b' }], 2)
    await start(id)
    await waitForBatch(bench, id, 'ended')
    expect(sent().flatMap(({ body }) => (JSON.parse(body) as { files?: object[] }).files ?? [])).toEqual(files)
    const exported = await bench.fetch('GET', `/api/batches/${id}/export?format=csv`)
    expect(await exported.text()).toContain('inputs.text,files,')
  })

  it('is made once however often it is asked for, and begins only when all its rows have come', async () => {
    const id = randomUUID()
    for (const _time of ['first', 'second']) await make([], { id, total: 3 })
    await add(id, texts(2))
    await add(id, texts(2))
    const early = await bench.fetch('POST', `/api/batches/${id}/start`, {})
    expect([early.status, await early.json()]).toEqual([
      409,
      expect.objectContaining({ message: '1 of 3 rows have not been uploaded yet.' }) as unknown,
    ])
    await add(id, [{ text: 'the last' }], 3)
    await start(id)
    await waitForBatch(bench, id, 'ended')
    expect(sent()).toHaveLength(3)
    expect((await bench.fetch('POST', `/api/batches/${id}/start`, {})).status).toBe(409)
  })

  it('keeps no row that the platform could not take, and says which it was', async () => {
    const { id } = await make([], { total: 2 })
    const response = await bench.fetch('POST', `/api/batches/${id}/rows`, {
      first: 1,
      rows: [{ inputs: { text: 'a' } }, { inputs: {} }],
    })
    expect(response.status).toBe(400)
    expect(((await response.json()) as { message: string }).message).toMatch(/\(row 2\).*at least one key/)
    for (const character of ['\0', '\ud800']) {
      const unstorable = { first: 1, rows: [{ inputs: { text: `a${character}` } }] }
      const refused = await bench.fetch('POST', `/api/batches/${id}/rows`, unstorable)
      expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('body.rows.0.inputs.text')])
    }
    expect(await read(id)).toMatchObject({ state: 'filling', counts: { waiting: 0 } })
    expect((await bench.fetch('POST', '/api/batches', { key: bench.keys.chat, name: 'x', total: 1 })).status).toBe(400)
  })

  it('waits as long as a 429 says, then sends the row again under a run that names the first', async () => {
    let refusals = 2
    bench.platform.script = (seen, response) => {
      if (refusals-- > 0)
        return sendError(response, 429, { code: 'too_many_requests', message: 'Slowly.' }, { 'retry-after': '1' })
      answer(seen, response)
    }
    const { id } = await make(texts(4), { at_once: 2 })
    await start(id)
    const waits = await vi.waitFor(async () => {
      const batch = await read(id)
      expect(batch.waits_until).not.toBeNull()
      return batch
    })
    expect(waits).toMatchObject({ state: 'running', problem: { message: 'Slowly.' } })
    const batch = await waitForBatch(bench, id, 'ended')
    expect(batch).toMatchObject({ counts: { succeeded: 4 }, waits_until: null, problem: null })
    expect(sent()).toHaveLength(6)
    const [first] = await rowsOf(id)
    expect(first).toMatchObject({ attempts: 2 })
    const run = await bench.json<Run>('GET', `/api/runs/${first?.run}`)
    expect(await bench.json<Run>('GET', `/api/runs/${run.parent}`)).toMatchObject({ status: 'failed' })
  })

  it('pauses with what the platform said when its quota is used up or the key is refused', async () => {
    for (const [status, code] of [
      [429, 'rate_limit_error'],
      [401, 'unauthorized'],
    ] as const) {
      bench.platform.requests.length = 0
      bench.platform.script = (_seen, response) => sendError(response, status, { code, message: `No: ${code}` })
      const { id } = await make(texts(5), { at_once: 1 })
      await start(id)
      const batch = await waitForBatch(bench, id, 'paused', 'refused')
      expect(batch).toMatchObject({ counts: { waiting: 5, failed: 0 }, problem: { message: `No: ${code}` } })
      expect(sent()).toHaveLength(1)
    }
  })

  it('stops at its cap by rows, and goes on from there with a new one', async () => {
    const { id } = await make(texts(10), { max_rows: 3 })
    await start(id)
    expect(await waitForBatch(bench, id, 'paused', 'row_cap')).toMatchObject({ counts: { succeeded: 3, waiting: 7 } })
    await start(id, { max_rows: null, only: 2 })
    expect(await waitForBatch(bench, id, 'paused', 'dry_run')).toMatchObject({ counts: { succeeded: 5 } })
    await start(id)
    await waitForBatch(bench, id, 'ended')
    expect(sent()).toHaveLength(10)
  })

  it('that is paused sends nothing more and reads what is under way to its end', async () => {
    const held: (() => void)[] = []
    bench.platform.script = (seen, response) => void held.push(() => answer(seen, response))
    const { id } = await make(texts(6), { at_once: 2 })
    await start(id)
    await vi.waitFor(() => expect(held).toHaveLength(2))
    await bench.json('POST', `/api/batches/${id}/pause`)
    expect((await bench.fetch('DELETE', `/api/batches/${id}`)).status).toBe(409)
    for (const go of held.splice(0)) go()
    expect(await waitForBatch(bench, id, 'paused', 'person')).toMatchObject({ counts: { succeeded: 2, waiting: 4 } })
    bench.platform.script = answer
    await start(id)
    await waitForBatch(bench, id, 'ended')
    expect(sent()).toHaveLength(6)
    await bench.json('DELETE', `/api/batches/${id}`)
    expect((await bench.fetch('GET', `/api/batches/${id}`)).status).toBe(404)
  })

  it('sends again only what somebody asks for', async () => {
    bench.platform.script = (seen, response) => {
      if (parseInputs(seen.body).text === 'row 2')
        return sendError(response, 400, { code: 'bad', message: 'Not this.' })
      if (parseInputs(seen.body).text === 'row 3') return void response.destroy()
      answer(seen, response)
    }
    const { id } = await make(texts(4), { at_once: 1 })
    await start(id)
    expect(await waitForBatch(bench, id, 'ended')).toMatchObject({ counts: { succeeded: 2, failed: 1, unknown: 1 } })
    expect((await rowsOf(id))[1]).toMatchObject({ problem: { message: 'Not this.' } })
    bench.platform.script = answer
    await bench.json('POST', `/api/batches/${id}/retry`, { states: ['failed'] })
    expect(await waitForBatch(bench, id, 'ended')).toMatchObject({ counts: { succeeded: 3, failed: 0, unknown: 1 } })
    await bench.json('POST', `/api/batches/${id}/retry`, { states: ['unknown'], number: 3 })
    expect(await waitForBatch(bench, id, 'ended')).toMatchObject({ counts: { succeeded: 4 } })
    expect(sent()).toHaveLength(6)
    expect((await bench.fetch('POST', `/api/batches/${id}/retry`, { states: ['failed'] })).status).toBe(409)
  })

  it('whose last row meets a limit has ended and is not paused', async () => {
    const { id } = await make(texts(3), { at_once: 1, max_rows: 3 })
    await start(id, { only: 3 })
    expect(await waitForBatch(bench, id, 'ended')).toMatchObject({ counts: { succeeded: 3 } })
  })

  it('takes several 500s at once as too many at once: fewer at once, and these rows again at the end', async () => {
    const held: (() => void)[] = []
    const unavailable = { message: 'Internal Server Error', code: 'unknown', status: 500 }
    bench.platform.script = (seen, response) => {
      // The first rows meet a platform without a free connection to its database.
      if (sent().length > 4) return answer(seen, response)
      held.push(() => sendError(response, 500, unavailable))
      if (held.length === 4) for (const refuse of held) refuse()
    }
    const { id } = await make(texts(7), { at_once: 4 })
    await start(id)
    await vi.waitFor(async () => expect(await read(id)).toMatchObject({ problem: { upstream: { status: 500 } } }))
    expect(await waitForBatch(bench, id, 'ended')).toMatchObject({ counts: { succeeded: 7, failed: 0 }, problem: null })
    const order = sent().map(({ body }) => parseInputs(body).text)
    expect(order.slice(4, 7)).toEqual(['row 5', 'row 6', 'row 7'])
    expect(order.slice(7).toSorted()).toEqual(['row 1', 'row 2', 'row 3', 'row 4'])
    expect((await rowsOf(id))[0]).toMatchObject({ attempts: 2, result: 'About row 1' })
  })

  it('takes over what a run says after its row was given up as unknown', async () => {
    bench.platform.script = (_seen, response) => void response.destroy()
    const { id } = await make(texts(1))
    await start(id)
    await waitForBatch(bench, id, 'ended')
    const [row] = await rowsOf(id)
    expect(row).toMatchObject({ state: 'unknown' })
    await bench.query(`UPDATE calls SET status = 'succeeded', problem = NULL WHERE id = $1`, [row?.run])
    expect(await read(id)).toMatchObject({ counts: { unknown: 0, succeeded: 1 } })
    expect(sent()).toHaveLength(1)
  })

  it('goes on after a restart where it stood, and what may have been sent is unknown', async () => {
    const held: ServerResponse[] = []
    bench.platform.script = (seen, response) =>
      parseInputs(seen.body).text === 'row 3' ? void held.push(response) : answer(seen, response)
    const { id } = await make(texts(6), { at_once: 1 })
    await start(id)
    await vi.waitFor(() => expect(held).toHaveLength(1))
    await bench.closeConsole()
    bench.platform.script = answer
    await bench.openConsole()
    expect(await waitForBatch(bench, id, 'ended')).toMatchObject({ counts: { succeeded: 5, unknown: 1 } })
    expect(sent().filter(({ body }) => parseInputs(body).text === 'row 3')).toHaveLength(1)
    expect(sent()).toHaveLength(6)
  })

  it('ends also where the database fails as it begins', async () => {
    const { id } = await make(texts(1))
    const { pool } = bench.database
    const query = pool.query.bind(pool) as (...given: unknown[]) => unknown
    let failures = 1
    vi.spyOn(pool, 'query').mockImplementation((...given: unknown[]) =>
      String(given[0]).startsWith('UPDATE batches SET server_id = $1') && failures-- > 0
        ? Promise.reject(new Error('Connection terminated'))
        : query(...given),
    )
    onTestFinished(() => void vi.restoreAllMocks())
    expect((await bench.fetch('POST', `/api/batches/${id}/start`, {})).status).toBe(503)
    await waitForBatch(bench, id, 'ended')
    expect(sent()).toHaveLength(1)
  })

  it('is exported whole: outputs as columns, nothing that a spreadsheet would run', async () => {
    bench.platform.script = (seen, response) => {
      const { text } = parseInputs(seen.body)
      if (text === '=1+1') return sendError(response, 400, { code: 'bad', message: '-no' })
      answer(seen, response)
    }
    const batch = await make([], { total: 2 })
    await bench.json('POST', `/api/batches/${batch.id}/rows`, {
      first: 1,
      rows: [
        { inputs: { text: 'tea, green' }, beside: { id: '007' } },
        { inputs: { text: '=1+1', more: [1] }, beside: { id: '008' } },
      ],
    })
    await start(batch.id)
    await waitForBatch(bench, batch.id, 'ended')
    const [one, two] = await rowsOf(batch.id)
    const csv = await bench.fetch('GET', `/api/batches/${batch.id}/export?format=csv`)
    expect(csv.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''Texts.csv")
    const lines = Buffer.from(await csv.arrayBuffer())
      .toString('utf8')
      .split('\r\n')
    expect(lines[0]).toBe(
      '\uFEFFrow,state,inputs.text,inputs.more,column.id,answer,run_id,error,attempts,tokens,price,currency,latency_ms,first_token_ms',
    )
    expect(lines[1]).toBe(
      `1,succeeded,"tea, green",,007,"About tea, green",${one?.run},,1,10,0.001,USD,${one?.duration_ms},`,
    )
    expect(lines[2]).toMatch(new RegExp(`^2,failed,"'=1\\+1",\\[1\\],008,,${two?.run},"'-no",1,,,,`))
    const jsonl = await (await bench.fetch('GET', `/api/batches/${batch.id}/export?format=jsonl&state=failed`)).text()
    expect(JSON.parse(jsonl)).toMatchObject({
      row: 2,
      inputs: { text: '=1+1', more: [1] },
      column: { id: '008' },
      error: { kind: 'refused', message: '-no' },
    })
    expect((await bench.fetch('GET', `/api/batches/${batch.id}/export?format=xls`)).status).toBe(400)
  })
})

const parseInputs = (body: string) => (JSON.parse(body) as { inputs: { text: string } }).inputs
const toUsage = (total_tokens: number) => ({ total_tokens, total_price: '0.001', currency: 'USD' })
