import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import type { Batch } from '#contract/console/batches.ts'
import type { CallStats } from '#contract/console/calls.ts'
import type { RunStats } from '#contract/console/stats.ts'
import { sendAnswer, sendError, streamBlocks } from '#support/platforms/scriptedPlatform.ts'
import { requirements, SHARED_DATA, titleWith } from '#support/requirements.ts'
import { TestConsole } from '../app.testing.ts'
import { waitForBatch } from '../batches/batches.testing.ts'

const SHARED_STREAM = 'real-inputs/console/S13/stream.txt'

describe('numbers of a run', () => {
  const bench = TestConsole.forFile()
  const path = () => `/api/keys/${bench.keys.workflow}/workflows/run`
  const read = async (target: string) => (await bench.fetch('GET', target)).text()
  const toStream = (outputs: string) =>
    `data: {"event":"workflow_finished","workflow_run_id":"r","task_id":"t","data":{"id":"r","status":"succeeded","outputs":${outputs}}}\n\n`

  it.each(['9007199254740993', '-12345678901234567890', '0.12345678901234567890', '1e400'])(
    'keep their digits: %s',
    async (digits) => {
      const inputs = `{"n":${digits},"j":{"id":[${digits}]}}`
      bench.platform.script = (_seen, response) =>
        streamBlocks(response, [toStream(`{"id":${digits},"copy":"{\\"id\\":${digits}}"}`)], 'closes')
      for (const [mode, id] of [
        ['streaming', randomUUID()],
        ['blocking', randomUUID()],
      ] as const) {
        if (mode === 'blocking')
          bench.platform.script = (_seen, response) => {
            response.setHeader('content-type', 'application/json')
            response.end(
              `{"workflow_run_id":"r","task_id":"t","data":{"id":"r","status":"succeeded","outputs":{"id":${digits}}}}`,
            )
          }
        const body = `{"inputs":${inputs},"user":"tester","response_mode":"${mode}"}`
        const reply = await (await bench.fetch('POST', path(), body, { 'run-id': id })).text()
        expect(reply).toContain(`"id":${digits}`)
        expect(bench.platform.requests.at(-1)?.body).toContain(`"inputs":${inputs}`)
        const run = await read(`/api/runs/${id}`)
        expect(run).toContain(`"inputs":${inputs}`)
        expect(run).toContain(`"outputs":{"id":${digits}`)
        expect(JSON.parse(run)).toMatchObject({ status: 'succeeded' })
      }
    },
  )

  it('keep their digits in a batch, and in its files', async () => {
    bench.platform.script = ({ body }, response) => {
      const [digits = ''] = /9007\d+/.exec(body) ?? []
      response.setHeader('content-type', 'application/json')
      response.end(
        `{"workflow_run_id":"r","task_id":"t","data":{"id":"r","status":"succeeded","outputs":{"id":-${digits}}}}`,
      )
    }
    const { id } = await bench.json<Batch>('POST', '/api/batches', {
      key: bench.keys.workflow,
      name: 'Numbers',
      total: 2,
      settings: { user: 'tester', response_mode: 'blocking' },
    })
    const rows = '[{"inputs":{"n":9007199254740993}},{"inputs":{"n":9007199254740995}}]'
    await bench.json('POST', `/api/batches/${id}/rows`, `{"first":1,"rows":${rows}}`)
    await bench.json('POST', `/api/batches/${id}/start`, {})
    expect(await waitForBatch(bench, id, 'ended')).toMatchObject({ counts: { succeeded: 2 } })
    for (const digits of ['9007199254740993', '9007199254740995']) {
      expect(await read(`/api/batches/${id}/export?format=csv`)).toContain(`,${digits},-${digits},`)
      const jsonl = await read(`/api/batches/${id}/export?format=jsonl`)
      expect(jsonl).toContain(`{"n":${digits}}`)
      expect(jsonl).toContain(`{"id":-${digits}}`)
    }
  })

  const sharedStream = requirements.sharedData(SHARED_STREAM)
  it.skipIf(!sharedStream.isMet)(titleWith(sharedStream, 'of the shared stream keep their digits'), async () => {
    const stream = readFileSync(join(SHARED_DATA, SHARED_STREAM), 'utf8').replace(
      '...',
      '"workflow_run_id":"r","task_id":"t"',
    )
    bench.platform.script = (_seen, response) => streamBlocks(response, [stream], 'closes')
    const id = randomUUID()
    await (
      await bench.fetch('POST', path(), { inputs: {}, user: 'tester', response_mode: 'streaming' }, { 'run-id': id })
    ).text()
    expect(await read(`/api/runs/${id}`)).toContain('"outputs":{"id":9007199254740993}')
  })

  it('that are prices with exponents count in sums, orders and batches', async () => {
    const prices = ['8E-7', '0E-7', '1.2e-6', '0.5']
    for (const total_price of prices) {
      bench.platform.script = (_seen, response) =>
        sendAnswer(response, 'Yes.', { usage: { total_tokens: 5, total_price, currency: 'USD' } })
      await (await bench.ask({}, { 'run-id': randomUUID() })).text()
    }
    const total = [{ currency: 'USD', total: '0.500002' }]
    const { total: totals } = await bench.json<CallStats>('GET', `/api/call-stats?group=day&key=${bench.keys.chat}`)
    expect(totals.prices).toEqual(total)
    const stats = await bench.json<RunStats>('GET', '/api/stats?days=7')
    expect(stats.price_totals.map((one) => Number(one.total))).toContain(0.500002)
    const calls = await bench.list<{ total_price: string }>(`/api/calls?key=${bench.keys.chat}&sort=price&order=asc`)
    expect(calls.map(({ total_price }) => total_price)).toEqual(['0E-7', '8E-7', '1.2e-6', '0.5'])

    bench.platform.script = (_seen, response) =>
      sendError(response, 200, {
        event: 'message',
        mode: 'chat',
        message_id: randomUUID(),
        conversation_id: randomUUID(),
        answer: 'Yes.',
        metadata: { usage: { total_tokens: 5, total_price: '8E-7', currency: 'USD' } },
      })
    const { id } = await bench.json<Batch>('POST', '/api/batches', {
      key: bench.keys.chat,
      name: 'Prices',
      total: 3,
      settings: { user: 'tester', response_mode: 'blocking' },
      at_once: 1,
      max_price: 1.6e-6,
    })
    await bench.json('POST', `/api/batches/${id}/rows`, {
      first: 1,
      rows: [1, 2, 3].map((n) => ({ inputs: {}, turns: [`${n}?`] })),
    })
    await bench.json('POST', `/api/batches/${id}/start`, {})
    // Totals that took long to read are cached for a while.
    await vi.waitFor(
      async () =>
        expect(await bench.json<Batch>('GET', `/api/batches/${id}`)).toMatchObject({
          pause: 'price_cap',
          prices: [{ currency: 'USD', total: '0.0000016', rows: 2 }],
        }),
      60_000,
    )
  })
})
