import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Frame, Run } from '#contract/console/runs.ts'
import type { AnswerState } from '#domain/answer/answerState.ts'
import type { RunState } from '#domain/workflowRun/runState.ts'
import { parseSseBlock } from '#domain/stream/sseBlock.ts'
import { openStream, sendError, toEventBlock } from '#support/platforms/scriptedPlatform.ts'
import { readFrames, TestConsole } from '../app.testing.ts'

const PLAY = `workflow_started
node_started doc1
node_finished doc1 with outputs {"text": 1.5 MB}
node_started llm
text_chunk "the summary"
node_finished llm
workflow_finished succeeded {"summary": "the summary"}`
const SHARED_PLAY = join(process.env['SHARED_DATA'] ?? '../shared', 'real-inputs/console/S02/stream.txt')
const plays = [PLAY, ...(existsSync(SHARED_PLAY) ? [readFileSync(SHARED_PLAY, 'utf8').trim()] : [])]
const BIG = '校 word '.repeat(150_000)

describe('a run with an event over 1 MiB', () => {
  const bench = TestConsole.forFile()
  let workflow_run_id = ''
  let blocks: string[] = []
  /** What operation 12 answers, one after the other. */
  let details: { status: number; body: unknown }[] = []
  beforeEach(() => {
    workflow_run_id = randomUUID()
    details = []
    bench.platform.script = (seen, response) => {
      const detail = details.length > 1 ? details.shift() : details[0]
      if (seen.method === 'GET') return sendError(response, detail?.status ?? 404, detail?.body ?? {})
      openStream(response)
      for (const block of blocks) response.write(block)
      response.end()
    }
  })
  const event = (name: string, data: object, more: object = {}) =>
    toEventBlock({ event: name, task_id: 't', workflow_run_id, ...more, data })
  const toPlayBlock = (line: string) => {
    const [, name = '', word, json = 'null'] = /^(\w+)(?: (\w+))?(?: with outputs)?(?: (.+))?$/.exec(line) ?? []
    const value: unknown = JSON.parse(json.replace(/([\d.]+) MB/, (_, size) => `"${'x'.repeat(Number(size) * 1e6)}"`))
    if (name === 'text_chunk') return event(name, { text: value })
    if (name.startsWith('node')) return event(name, { id: `e-${word}`, node_id: word, outputs: value, status: word && 'succeeded' })
    return event(name, { id: workflow_run_id, status: word, outputs: value })
  } // prettier-ignore
  const run = async (kind: 'workflow' | 'chat') => {
    const id = randomUUID()
    const path = kind === 'chat' ? 'chat-messages' : 'workflows/run'
    const body = { inputs: {}, user: 'me', response_mode: 'streaming', ...(kind === 'chat' && { query: 'tea' }) }
    const response = await bench.fetch('POST', `/api/keys/${bench.keys[kind]}/${path}`, body, { 'run-id': id })
    const { run: ended } = readFrames(await response.text())
    const stored = await bench.json<Run & { answer: AnswerState & RunState }>('GET', `/api/runs/${id}`)
    expect(stored.status).toBe(ended?.status)
    const frames = await bench.json<{ data: Frame[] }>('GET', `/api/runs/${id}/frames`)
    return { ...stored, cuts: frames.data.map(({ block, bytes }) => ({ ...parseSseBlock(block).cut, bytes, block })) }
  }

  it.each(plays)('goes on after the result of a node: %.20s…', async (play) => {
    blocks = play.split('\n').map(toPlayBlock)
    const { status, problem, answer, cuts } = await run('workflow')
    expect([status, problem]).toEqual(['succeeded', null])
    expect(answer).toMatchObject({ text: 'the summary', outputs: { summary: 'the summary' }, unknown: [], cut: ['node_finished'] }) // prettier-ignore
    // The status stood after the outputs.
    expect(answer.nodes).toMatchObject([{ status: 'unknown', is_cut: true }, { status: 'succeeded' }])
    const size = Buffer.byteLength(blocks[2] ?? '')
    expect(cuts[2]).toMatchObject({ stored: 1_048_576, size, bytes: size })
    expect(Buffer.byteLength(cuts[2]?.block ?? '')).toBeLessThan(1_048_576 + 60)
  })

  it('has the end that is too large, and the rest of it from operation 12 once the platform has recorded it', async () => {
    blocks = [
      event('workflow_started', { id: workflow_run_id }),
      event('text_chunk', { text: BIG }),
      event('text_chunk', { text: 'end' }),
      event('workflow_finished', { status: 'partial-succeeded', outputs: { text: `${BIG}end`, n: 1 } }),
    ]
    const detail = { id: workflow_run_id, status: 'running', outputs: null as unknown, total_tokens: 7 }
    const recorded = { ...detail, status: 'partial-succeeded', outputs: { text: `${BIG}end`, n: 1 } }
    details = [{ status: 200, body: detail }, { status: 200, body: recorded }] // prettier-ignore
    const complete = await run('workflow')
    expect(complete).toMatchObject({ status: 'partial-succeeded', total_tokens: 7, problem: null })
    expect(complete.answer).toMatchObject({ outputs: { n: 1 }, late: 0, told: { because: expect.stringContaining('1 MiB') as string } }) // prettier-ignore
    expect(complete.answer.text === `${BIG}end`).toBe(true)

    details = []
    const partial = await run('workflow')
    expect([partial.status, partial.answer.told]).toEqual(['partial-succeeded', null])
    expect(partial.answer.cut).toEqual(['text_chunk', 'workflow_finished'])
  })

  it('has no status where that stood behind the cut, and nobody knows it', async () => {
    blocks = [event('workflow_finished', { id: workflow_run_id, outputs: { text: BIG }, status: 'succeeded' })]
    expect(await run('workflow')).toMatchObject({ status: 'unknown', problem: { kind: 'mismatch' } })
  })

  it('is complete for a chat: the first part of a message, what follows, and an end over the limit', async () => {
    const ids = { conversation_id: randomUUID(), message_id: randomUUID() }
    blocks = [
      event('message', {}, { ...ids, answer: BIG }),
      event('message', {}, { ...ids, answer: ' in short' }),
      toEventBlock({ event: 'message_end', ...ids, metadata: { retriever_resources: [{ content: BIG }, 1] } }),
    ]
    const { status, answer, cuts } = await run('chat')
    expect([status, answer.cut]).toEqual(['succeeded', ['message', 'message_end']])
    expect(answer).toMatchObject({
      ...ids,
      text: expect.stringMatching(/^校 word [^]* in short$/) as string,
      unknown: [],
    })
    expect(cuts.map(({ stored }) => stored)).toEqual([expect.any(Number), undefined, expect.any(Number)])
  })

  it('ends at 64 MiB all the same, and Loupe says that it was Loupe, also once the platform was asked', async () => {
    const endless = ['data: {"event":"text_chunk","data":{"text":"', ...Array<string>(66).fill('x'.repeat(1024 ** 2))]
    bench.platform.script = (seen, response) => {
      if (seen.method === 'GET') return sendError(response, 200, { id: workflow_run_id, status: 'running' })
      openStream(response)
      Readable.from([event('workflow_started', { id: workflow_run_id }), ...endless]).pipe(response)
    }
    const { id, status, problem, cuts } = await run('workflow')
    expect([status, problem?.message]).toEqual(['interrupted', 'Loupe ended the run: its stream exceeds 64 MiB.'])
    const asked = await bench.fetch('POST', `/api/runs/${id}/reconcile`, {})
    expect(await asked.json()).toMatchObject({ status: 'interrupted', problem })
    expect(cuts[1]?.bytes).toBeGreaterThan(63 * 1024 ** 2)
  })
})
