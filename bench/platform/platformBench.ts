import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { LoupeProcess } from '#support/loupeProcess.ts'
import { startModelEndpoint } from '../../server/platform/model/modelEndpoint.fixture.ts'
import { copyFilledPlatform, EMBEDDING_MODEL, measureStatements } from './filledPlatform.ts'
import { createRandom, createParagraphs, createQuestions, toVector } from './syntheticTexts.ts'
import type { Figure } from '../figure.ts'
import { percentile } from '../percentile.ts'

const PLATFORM_KEYS = { PLATFORM_KNOWLEDGE_KEY: 'knowledge-of-the-bench', PLATFORM_CHAT_KEY: 'chat-of-the-bench' }
const TEXT_BYTES = 5 * 1024 * 1024
const SEGMENT_COUNT = 100_000
const WARM_UP_QUESTIONS = 20
const QUESTION_COUNT = 200
const CHAT_COUNT = 100
const CONCURRENT_CHATS = 50

/** The built-in platform as its own process: speed of indexing, retrieval and first token, and its memory. */
export async function runPlatformBench(): Promise<Figure[]> {
  return [
    ...(await measureIndexing()),
    ...(await measureGrowth()),
    ...(await measureWithModel()),
    ...(await measureWithoutModel()),
  ]
}

/** A text of 5 MB in paragraphs, a segment each. */
async function measureIndexing(): Promise<Figure[]> {
  const loupe = await new LoupeProcess(PLATFORM_KEYS).start()
  try {
    const first = getPeakMemoryMib(loupe)
    // The first start makes the database; a server that has run before is the usual one.
    await loupe.stop()
    await loupe.start()
    const again = getPeakMemoryMib(loupe)
    resetPeakMemory(loupe)
    const name = '5 MB in paragraphs'
    const dataset = (await readJson<{ id: string }>(await post(loupe, '/datasets', { name }))).id
    const began = performance.now()
    const { batch } = await readJson<{ batch: string }>(
      await post(loupe, `/datasets/${dataset}/document/create-by-text`, {
        name,
        text: createParagraphs(createRandom(2), TEXT_BYTES),
        indexing_technique: 'economy',
        process_rule: {
          mode: 'custom',
          rules: { pre_processing_rules: [], segmentation: { separator: '\n\n', max_tokens: 1000 } },
        },
      }),
    )
    const acknowledged = performance.now() - began
    const segments = await waitUntilIndexed(loupe, `/datasets/${dataset}/documents/${batch}/indexing-status`)
    const seconds = (performance.now() - began) / 1000
    return [
      toFigure(`5 MB of text, ${segments} segments`, segments / seconds, 'segments/s', {
        against: `${seconds.toFixed(1)} s in all`,
      }),
      toFigure('5 MB of text, until it is acknowledged', acknowledged, 'ms'),
      toFigure('first start, peak memory of the server', first, 'MiB'),
      toFigure('start on an existing folder, peak memory of the server', again, 'MiB', { goal: '< 700 MiB' }),
      toFigure('5 MB of text, peak memory of the server meanwhile', getPeakMemoryMib(loupe), 'MiB', {
        goal: '< 700 MiB',
      }),
    ]
  } finally {
    await loupe.remove()
  }
}

/** Files of two sizes, one five times the other: what they are called, and one unit of them. */
const GROWING_FILES = [
  {
    name: 'lines.txt',
    unit: 'lines of text',
    few: 6_000,
    create: (at: number) => `Line ${at}: the pump of hall ${at % 97} is cleaned.`,
  },
  {
    name: 'parts.csv',
    unit: 'rows of a table',
    few: 8_000,
    create: (at: number) =>
      at === 0 ? 'number,name,note' : `P-${at},Part ${at},"A part of kind ${at % 97}, made of steel and wood"`,
  },
]
const GROWTH_FACTOR = 5

/** How many times longer a file takes that is five times as large. */
async function measureGrowth(): Promise<Figure[]> {
  const loupe = await new LoupeProcess(PLATFORM_KEYS).start()
  try {
    const { id } = await readJson<{ id: string }>(await post(loupe, '/datasets', { name: 'Growth' }))
    const figures: Figure[] = []
    for (const { name, unit, few, create } of GROWING_FILES) {
      const measure = (count: number) =>
        measureFile(loupe, id, name, Array.from({ length: count }, (_, at) => create(at)).join('\n'))
      await measure(few)
      const [short, long] = [await measure(few), await measure(few * GROWTH_FACTOR)]
      const what = `${(few * GROWTH_FACTOR).toLocaleString('en')} ${unit} against ${few.toLocaleString('en')}`
      const against = `${long.toFixed(1)} s, ${short.toFixed(1)} s`
      figures.push(toFigure(what, long / short, 'times', { against, goal: '< 6' }))
    }
    return figures
  } finally {
    await loupe.remove()
  }
}

/** Seconds until a file is indexed, a segment for each line. */
async function measureFile(loupe: LoupeProcess, dataset_id: string, name: string, content: string): Promise<number> {
  const body = new FormData()
  const rules = { pre_processing_rules: [], segmentation: { separator: '\n', max_tokens: 500 } }
  body.append('data', JSON.stringify({ indexing_technique: 'economy', process_rule: { mode: 'custom', rules } }))
  body.append('file', new File([content], name))
  const headers = { authorization: `Bearer ${PLATFORM_KEYS.PLATFORM_KNOWLEDGE_KEY}` }
  const began = performance.now()
  const reply = await fetch(`${loupe.platform}/datasets/${dataset_id}/document/create-by-file`, {
    method: 'POST',
    headers,
    body,
  })
  const { batch } = await readJson<{ batch: string }>(reply)
  await waitUntilIndexed(loupe, `/datasets/${dataset_id}/documents/${batch}/indexing-status`)
  return (performance.now() - began) / 1000
}

/** With an endpoint that generates and embeds instantly, so that the measurements are the platform's own. */
async function measureWithModel(): Promise<Figure[]> {
  const model = await startModelEndpoint({ vector: toVector })
  const loupe = new LoupeProcess({ ...PLATFORM_KEYS, MODEL_BASE_URL: model.url, EMBEDDING_MODEL })
  try {
    const dataset_id = await copyFilledPlatform(loupe.folder, SEGMENT_COUNT)
    await loupe.start()
    resetPeakMemory(loupe)
    const methods = ['keyword_search', 'hybrid_search'] as const
    const questions = createQuestions(3, QUESTION_COUNT)
    const over: Record<string, number[]> = {}
    for (const method of methods) over[method] = await measureRetrievals(loupe, dataset_id, method, questions)
    const chats = await measureFirstFrames(loupe, over['hybrid_search'] ?? [], 'with a model')
    const many = await measureConcurrentChats(loupe)
    const memory = toFigure('100,000 segments, peak memory of the server meanwhile', getPeakMemoryMib(loupe), 'MiB', {
      goal: '< 700 MiB',
    })
    await loupe.stop()
    const figures: Figure[] = []
    for (const search_method of methods) {
      const direct = { dataset_id, model_url: model.url, questions, search_method }
      const straight = await measureStatements(loupe.folder, direct)
      figures.push(...toComparedFigures(search_method, over[search_method] ?? [], straight))
    }
    return [...figures, ...chats, ...many, memory]
  } finally {
    await loupe.remove()
    await model.close()
  }
}

/** Default configuration: answers are extracted, search is by keyword. */
async function measureWithoutModel(): Promise<Figure[]> {
  const loupe = new LoupeProcess(PLATFORM_KEYS)
  try {
    const dataset_id = await copyFilledPlatform(loupe.folder, SEGMENT_COUNT)
    await loupe.start()
    const found = await measureRetrievals(loupe, dataset_id, 'keyword_search', createQuestions(3, QUESTION_COUNT))
    return await measureFirstFrames(loupe, found, 'extracted')
  } finally {
    await loupe.remove()
  }
}

async function measureRetrievals(loupe: LoupeProcess, dataset_id: string, search_method: string, questions: string[]) {
  const durations: number[] = []
  for (const query of [...createQuestions(4, WARM_UP_QUESTIONS), ...questions]) {
    const began = performance.now()
    const reply = await post(loupe, `/datasets/${dataset_id}/retrieve`, { query, retrieval_model: { search_method } })
    const { records } = await readJson<{ records: unknown[] }>(reply)
    durations.push(performance.now() - began)
    if (records.length === 0) throw new Error(`nothing was found for ${query}`)
  }
  return durations.slice(WARM_UP_QUESTIONS)
}

function toComparedFigures(what: string, over: number[], straight: number[]): Figure[] {
  return [50, 99].map((percent) => {
    const direct = percentile(straight, percent)
    const value = percentile(over, percent)
    const against = `${direct.toFixed(1)} ms direct, ${(value / direct).toFixed(2)} times`
    return toFigure(`retrieve over 100,000 segments, ${what}, p${percent}`, value, 'ms', { against })
  })
}

/** From the request to the first frame with text; the client then disconnects. */
async function measureFirstFrames(loupe: LoupeProcess, retrieval: number[], label: string): Promise<Figure[]> {
  const durations: number[] = []
  for (const query of createQuestions(5, WARM_UP_QUESTIONS + CHAT_COUNT)) {
    const began = performance.now()
    const reading = await chat(loupe, query)
    for await (const text of reading.text) if (text.includes('"event":"message"')) break
    durations.push(performance.now() - began)
  }
  return [50, 99].map((percent) =>
    toFigure(
      `first frame of a chat, ${label}, p${percent}`,
      percentile(durations.slice(WARM_UP_QUESTIONS), percent),
      'ms',
      {
        against: `retrieval ${percentile(retrieval, percent).toFixed(1)} ms`,
        ...(percent === 99 ? { goal: '< 300 ms' } : {}),
      },
    ),
  )
}

/** Fifty concurrent chats; each must have an answer and its end. */
async function measureConcurrentChats(loupe: LoupeProcess): Promise<Figure[]> {
  const began = performance.now()
  const answers = await Promise.all(
    createQuestions(6, CONCURRENT_CHATS).map(async (query) => {
      let all = ''
      for await (const text of (await chat(loupe, query)).text) all += text
      return all.includes('"event":"message"') && all.includes('"event":"message_end"')
    }),
  )
  const against = `all ended after ${((performance.now() - began) / 1000).toFixed(1)} s`
  return [toFigure('50 chats at once, lost', answers.filter((is) => !is).length, 'chats', { against, goal: '0' })]
}

async function chat(loupe: LoupeProcess, query: string): Promise<{ text: AsyncIterable<string> }> {
  const body = { query, user: 'bench', inputs: {}, response_mode: 'streaming', auto_generate_name: false }
  const response = await post(loupe, '/chat-messages', body, PLATFORM_KEYS.PLATFORM_CHAT_KEY)
  if (!response.body) throw new Error('the chat has no stream')
  return { text: response.body.pipeThrough(new TextDecoderStream()) as unknown as AsyncIterable<string> }
}

async function waitUntilIndexed(loupe: LoupeProcess, path: string): Promise<number> {
  for (;;) {
    const headers = { authorization: `Bearer ${PLATFORM_KEYS.PLATFORM_KNOWLEDGE_KEY}` }
    const { data } = await readJson<{
      data: { indexing_status: string; total_segments: number; error: string | null }[]
    }>(await fetch(loupe.platform + path, { headers }))
    const [document] = data
    if (document?.indexing_status === 'error') throw new Error(`not indexed: ${document.error}`)
    if (document?.indexing_status === 'completed') return document.total_segments
    await wait(100)
  }
}

const post = (loupe: LoupeProcess, path: string, body: unknown, key: string = PLATFORM_KEYS.PLATFORM_KNOWLEDGE_KEY) =>
  fetch(loupe.platform + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

async function readJson<T>(response: Response): Promise<T> {
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

/** Linux then resets the peak to the current resident memory. */
const resetPeakMemory = (loupe: LoupeProcess): void => writeFileSync(`/proc/${loupe.pid}/clear_refs`, '5')

/**
 * Peak resident memory of the process in MiB since its start or the last reset, including all threads and the embedded
 * database.
 */
function getPeakMemoryMib(loupe: LoupeProcess): number {
  const status = readFileSync(`/proc/${loupe.pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}

const toFigure = (what: string, value: number, unit: string, more: Pick<Figure, 'against' | 'goal'> = {}): Figure => ({
  bench: 'platform',
  what,
  value,
  unit,
  ...more,
})
