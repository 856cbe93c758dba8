import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { Loupe } from '../e2e/loupe.ts'
import { endpoint } from '../server/platform/model/endpoint.fixture.ts'
import { copyFilled, EMBEDDING_MODEL, measureStatements } from './platform-store.ts'
import { newRandom, paragraphs, questionTexts, vectorOf } from './platform-texts.ts'
import type { Figure } from './figure.ts'

const KEYS = { PLATFORM_KNOWLEDGE_KEY: 'knowledge-of-the-bench', PLATFORM_CHAT_KEY: 'chat-of-the-bench' }
const TEXT_BYTES = 5 * 1024 * 1024
const SEGMENTS = 100_000
const WARM_UP = 20
const QUESTIONS = 200
const CHATS = 100
const AT_ONCE = 50

/** The built-in platform as its own process: how fast it indexes, finds and begins to answer, and what memory it takes. */
export async function platform(): Promise<Figure[]> {
  return [...(await indexing()), ...(await withModel()), ...(await withoutModel())]
}

/** A text of 5 MB in paragraphs, a segment each. */
async function indexing(): Promise<Figure[]> {
  const loupe = await new Loupe(KEYS).start()
  try {
    const first = peakMemory(loupe)
    // The first start makes the database; a server that has run before is the usual one.
    await loupe.stop()
    await loupe.start()
    const again = peakMemory(loupe)
    forgetPeak(loupe)
    const name = '5 MB in paragraphs'
    const dataset = (await json<{ id: string }>(await post(loupe, '/datasets', { name }))).id
    const began = performance.now()
    const { batch } = await json<{ batch: string }>(
      await post(loupe, `/datasets/${dataset}/document/create-by-text`, {
        name,
        text: paragraphs(newRandom(2), TEXT_BYTES),
        indexing_technique: 'economy',
        process_rule: {
          mode: 'custom',
          rules: { pre_processing_rules: [], segmentation: { separator: '\n\n', max_tokens: 1000 } },
        },
      }),
    )
    const acknowledged = performance.now() - began
    const segments = await indexed(loupe, `/datasets/${dataset}/documents/${batch}/indexing-status`)
    const seconds = (performance.now() - began) / 1000
    return [
      figure(`5 MB of text, ${segments} segments`, segments / seconds, 'segments/s', {
        against: `${seconds.toFixed(1)} s in all`,
      }),
      figure('5 MB of text, until it is acknowledged', acknowledged, 'ms'),
      figure('first start, peak memory of the server', first, 'MiB'),
      figure('start on an existing folder, peak memory of the server', again, 'MiB', { goal: '< 700 MiB' }),
      figure('5 MB of text, peak memory of the server meanwhile', peakMemory(loupe), 'MiB', { goal: '< 700 MiB' }),
    ]
  } finally {
    await loupe.remove()
  }
}

/** With an endpoint that answers and embeds at once, so that the figures are the platform's own. */
async function withModel(): Promise<Figure[]> {
  const model = await endpoint({ vector: vectorOf })
  const loupe = new Loupe({ ...KEYS, MODEL_BASE_URL: model.url, EMBEDDING_MODEL })
  try {
    const dataset_id = await copyFilled(loupe.folder, SEGMENTS)
    await loupe.start()
    forgetPeak(loupe)
    const methods = ['keyword_search', 'hybrid_search'] as const
    const questions = questionTexts(3, QUESTIONS)
    const over: Record<string, number[]> = {}
    for (const method of methods) over[method] = await retrievals(loupe, dataset_id, method, questions)
    const chats = await firstFrames(loupe, over['hybrid_search'] ?? [], 'with a model')
    const many = await atOnce(loupe)
    const memory = figure('100,000 segments, peak memory of the server meanwhile', peakMemory(loupe), 'MiB', {
      goal: '< 700 MiB',
    })
    await loupe.stop()
    const figures: Figure[] = []
    for (const search_method of methods) {
      const direct = { dataset_id, model_url: model.url, questions, search_method }
      const straight = await measureStatements(loupe.folder, direct)
      figures.push(...compared(search_method, over[search_method] ?? [], straight))
    }
    return [...figures, ...chats, ...many, memory]
  } finally {
    await loupe.remove()
    await model.close()
  }
}

/** As it comes: answers are extracted, search is by keyword. */
async function withoutModel(): Promise<Figure[]> {
  const loupe = new Loupe(KEYS)
  try {
    const dataset_id = await copyFilled(loupe.folder, SEGMENTS)
    await loupe.start()
    const found = await retrievals(loupe, dataset_id, 'keyword_search', questionTexts(3, QUESTIONS))
    return await firstFrames(loupe, found, 'extracted')
  } finally {
    await loupe.remove()
  }
}

async function retrievals(loupe: Loupe, dataset_id: string, search_method: string, questions: string[]) {
  const taken: number[] = []
  for (const query of [...questionTexts(4, WARM_UP), ...questions]) {
    const began = performance.now()
    const reply = await post(loupe, `/datasets/${dataset_id}/retrieve`, { query, retrieval_model: { search_method } })
    const { records } = await json<{ records: unknown[] }>(reply)
    taken.push(performance.now() - began)
    if (records.length === 0) throw new Error(`nothing was found for ${query}`)
  }
  return taken.slice(WARM_UP)
}

function compared(what: string, over: number[], straight: number[]): Figure[] {
  return [50, 99].map((percent) => {
    const direct = percentile(straight, percent)
    const value = percentile(over, percent)
    const against = `${direct.toFixed(1)} ms direct, ${(value / direct).toFixed(2)} times`
    return figure(`retrieve over 100,000 segments, ${what}, p${percent}`, value, 'ms', { against })
  })
}

/** From the request to the first frame with text; the reader then hangs up. */
async function firstFrames(loupe: Loupe, retrieval: number[], how: string): Promise<Figure[]> {
  const taken: number[] = []
  for (const query of questionTexts(5, WARM_UP + CHATS)) {
    const began = performance.now()
    const reading = await chat(loupe, query)
    for await (const text of reading.text) if (text.includes('"event":"message"')) break
    taken.push(performance.now() - began)
  }
  return [50, 99].map((percent) =>
    figure(`first frame of a chat, ${how}, p${percent}`, percentile(taken.slice(WARM_UP), percent), 'ms', {
      against: `retrieval ${percentile(retrieval, percent).toFixed(1)} ms`,
      ...(percent === 99 ? { goal: '< 300 ms' } : {}),
    }),
  )
}

/** Fifty chats begin together; each must have an answer and its end. */
async function atOnce(loupe: Loupe): Promise<Figure[]> {
  const began = performance.now()
  const whole = await Promise.all(
    questionTexts(6, AT_ONCE).map(async (query) => {
      let all = ''
      for await (const text of (await chat(loupe, query)).text) all += text
      return all.includes('"event":"message"') && all.includes('"event":"message_end"')
    }),
  )
  const against = `all ended after ${((performance.now() - began) / 1000).toFixed(1)} s`
  return [figure('50 chats at once, lost', whole.filter((is) => !is).length, 'chats', { against, goal: '0' })]
}

async function chat(loupe: Loupe, query: string): Promise<{ text: AsyncIterable<string> }> {
  const body = { query, user: 'bench', inputs: {}, response_mode: 'streaming', auto_generate_name: false }
  const response = await post(loupe, '/chat-messages', body, KEYS.PLATFORM_CHAT_KEY)
  if (!response.body) throw new Error('the chat has no stream')
  return { text: response.body.pipeThrough(new TextDecoderStream()) as unknown as AsyncIterable<string> }
}

async function indexed(loupe: Loupe, path: string): Promise<number> {
  for (;;) {
    const headers = { authorization: `Bearer ${KEYS.PLATFORM_KNOWLEDGE_KEY}` }
    const { data } = await json<{ data: { indexing_status: string; total_segments: number; error: string | null }[] }>(
      await fetch(loupe.platform + path, { headers }),
    )
    const [document] = data
    if (document?.indexing_status === 'error') throw new Error(`not indexed: ${document.error}`)
    if (document?.indexing_status === 'completed') return document.total_segments
    await wait(100)
  }
}

const post = (loupe: Loupe, path: string, body: unknown, key: string = KEYS.PLATFORM_KNOWLEDGE_KEY) =>
  fetch(loupe.platform + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

async function json<T>(response: Response): Promise<T> {
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

/** Linux then counts the peak anew, from what is resident now. */
const forgetPeak = (loupe: Loupe): void => writeFileSync(`/proc/${loupe.pid}/clear_refs`, '5')

/** The most resident memory that the process has had since its start or since that was forgotten, all its threads and the embedded database included. MiB. */
function peakMemory(loupe: Loupe): number {
  const status = readFileSync(`/proc/${loupe.pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}

function percentile(values: number[], percent: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN
}

const figure = (what: string, value: number, unit: string, more: Pick<Figure, 'against' | 'goal'> = {}): Figure => ({
  bench: 'platform',
  what,
  value,
  unit,
  ...more,
})
