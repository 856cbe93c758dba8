import { readFileSync, writeFileSync } from 'node:fs'
import { LoupeProcess } from '#support/loupeProcess.ts'
import { createSender, openPlatform } from '../../checks/kill/consoleClient.ts'
import { startModelEndpoint } from '../../server/platform/model/modelEndpoint.fixture.ts'
import { type Figure, percentile, toFigure } from '../figures.ts'
import { copyFilledPlatform, EMBEDDING_MODEL, measureStatements } from './filledPlatform.ts'
import { createDocument, toProcessRule, waitUntilIndexed } from './knowledgeClient.ts'
import { createParagraphs, createQuestions, createRandom, toVector } from './syntheticTexts.ts'

const KNOWLEDGE_KEY = 'knowledge-of-the-bench'
const CHAT_KEY = 'chat-of-the-bench'
const PLATFORM_ENV = { PLATFORM_KNOWLEDGE_KEY: KNOWLEDGE_KEY, PLATFORM_CHAT_KEY: CHAT_KEY }
const TEXT_BYTES = 5 * 1024 * 1024
const SEGMENT_COUNT = 100_000
const WARM_UP_QUESTIONS = 20
const QUESTION_COUNT = 200
const CHAT_COUNT = 100
const CONCURRENT_CHATS = 50
const GROWTH_FACTOR = 5
const MEMORY_GOAL = { goal: '< 700 MiB' }

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
  const loupe = await new LoupeProcess(PLATFORM_ENV).start()
  try {
    const first = getPeakMemoryMib(loupe)
    // The first start makes the database; a server that has run before is the usual one.
    await loupe.stop()
    await loupe.start()
    const again = getPeakMemoryMib(loupe)
    resetPeakMemory(loupe)
    const send = openPlatform(loupe, KNOWLEDGE_KEY)
    const name = '5 MB in paragraphs'
    const { id } = await send<{ id: string }>('POST', '/datasets', { name })
    const text = createParagraphs(createRandom(2), TEXT_BYTES)
    const began = performance.now()
    const { batch } = await createDocument(send, id, name, text, toProcessRule('\n\n', 1000))
    const acknowledged = performance.now() - began
    const segments = await waitUntilIndexed(send, id, batch)
    const seconds = (performance.now() - began) / 1000
    return [
      toFigure(`5 MB of text, ${segments} segments`, segments / seconds, 'segments/s', {
        against: `${seconds.toFixed(1)} s in all`,
      }),
      toFigure('5 MB of text, until it is acknowledged', acknowledged, 'ms'),
      toFigure('first start, peak memory of the server', first, 'MiB'),
      toFigure('start on an existing folder, peak memory of the server', again, 'MiB', MEMORY_GOAL),
      toFigure('5 MB of text, peak memory of the server meanwhile', getPeakMemoryMib(loupe), 'MiB', MEMORY_GOAL),
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

/** How many times longer a file takes that is five times as large, a segment for each line. */
async function measureGrowth(): Promise<Figure[]> {
  const loupe = await new LoupeProcess(PLATFORM_ENV).start()
  try {
    const send = openPlatform(loupe, KNOWLEDGE_KEY)
    const { id } = await send<{ id: string }>('POST', '/datasets', { name: 'Growth' })
    const figures: Figure[] = []
    for (const { name, unit, few, create } of GROWING_FILES) {
      const measureSeconds = async (count: number): Promise<number> => {
        const body = new FormData()
        body.append('data', JSON.stringify({ indexing_technique: 'economy', process_rule: toProcessRule('\n', 500) }))
        body.append('file', new File([Array.from({ length: count }, (_, at) => create(at)).join('\n')], name))
        const began = performance.now()
        const url = `${loupe.platform}/datasets/${id}/document/create-by-file`
        const reply = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${KNOWLEDGE_KEY}` }, body })
        const { batch } = (await reply.json()) as { batch: string }
        await waitUntilIndexed(send, id, batch)
        return (performance.now() - began) / 1000
      }
      await measureSeconds(few)
      const [short, long] = [await measureSeconds(few), await measureSeconds(few * GROWTH_FACTOR)]
      const what = `${(few * GROWTH_FACTOR).toLocaleString('en')} ${unit} against ${few.toLocaleString('en')}`
      const against = `${long.toFixed(1)} s, ${short.toFixed(1)} s`
      figures.push(toFigure(what, long / short, 'times', { against, goal: '< 6' }))
    }
    return figures
  } finally {
    await loupe.remove()
  }
}

/** With an endpoint that generates and embeds instantly, so that the measurements are the platform's own. */
async function measureWithModel(): Promise<Figure[]> {
  const model = await startModelEndpoint({ vector: toVector })
  const loupe = new LoupeProcess({ ...PLATFORM_ENV, MODEL_BASE_URL: model.url, EMBEDDING_MODEL })
  try {
    const dataset_id = await copyFilledPlatform(loupe.folder, SEGMENT_COUNT)
    await loupe.start()
    resetPeakMemory(loupe)
    const questions = createQuestions(3, QUESTION_COUNT)
    const measured: [search_method: string, durations: number[]][] = []
    for (const method of ['keyword_search', 'hybrid_search'])
      measured.push([method, await measureRetrievals(loupe, dataset_id, method, questions)])
    const chats = await measureFirstFrames(loupe, measured[1]?.[1] ?? [], 'with a model')
    const many = await measureConcurrentChats(loupe)
    const memory = getPeakMemoryMib(loupe)
    await loupe.stop()
    const figures: Figure[] = []
    for (const [search_method, durations] of measured) {
      const run = { dataset_id, model_url: model.url, questions, search_method }
      const straight = await measureStatements(loupe.folder, run)
      for (const percent of [50, 99]) {
        const [value, direct] = [percentile(durations, percent), percentile(straight, percent)]
        const against = `${direct.toFixed(1)} ms direct, ${(value / direct).toFixed(2)} times`
        const what = `retrieve over 100,000 segments, ${search_method}, p${percent}`
        figures.push(toFigure(what, value, 'ms', { against }))
      }
    }
    return [
      ...figures,
      ...chats,
      many,
      toFigure('100,000 segments, peak memory of the server meanwhile', memory, 'MiB', MEMORY_GOAL),
    ]
  } finally {
    await loupe.remove()
    await model.close()
  }
}

/** Default configuration: answers are extracted, search is by keyword. */
async function measureWithoutModel(): Promise<Figure[]> {
  const loupe = new LoupeProcess(PLATFORM_ENV)
  try {
    const dataset_id = await copyFilledPlatform(loupe.folder, SEGMENT_COUNT)
    await loupe.start()
    const questions = createQuestions(3, QUESTION_COUNT)
    const found = await measureRetrievals(loupe, dataset_id, 'keyword_search', questions)
    return await measureFirstFrames(loupe, found, 'extracted')
  } finally {
    await loupe.remove()
  }
}

async function measureRetrievals(loupe: LoupeProcess, dataset_id: string, search_method: string, questions: string[]) {
  const send = openPlatform(loupe, KNOWLEDGE_KEY)
  const durations: number[] = []
  for (const query of [...createQuestions(4, WARM_UP_QUESTIONS), ...questions]) {
    const began = performance.now()
    const body = { query, retrieval_model: { search_method } }
    const { records } = await send<{ records: unknown[] }>('POST', `/datasets/${dataset_id}/retrieve`, body)
    durations.push(performance.now() - began)
    if (records.length === 0) throw new Error(`nothing was found for ${query}`)
  }
  return durations.slice(WARM_UP_QUESTIONS)
}

/** From the request to the first frame with text; the client then disconnects. */
async function measureFirstFrames(loupe: LoupeProcess, retrieval: number[], label: string): Promise<Figure[]> {
  const durations: number[] = []
  for (const query of createQuestions(5, WARM_UP_QUESTIONS + CHAT_COUNT)) {
    const began = performance.now()
    for await (const text of await openChat(loupe, query)) if (text.includes('"event":"message"')) break
    durations.push(performance.now() - began)
  }
  return [50, 99].map((percent) => {
    const value = percentile(durations.slice(WARM_UP_QUESTIONS), percent)
    return toFigure(`first frame of a chat, ${label}, p${percent}`, value, 'ms', {
      against: `retrieval ${percentile(retrieval, percent).toFixed(1)} ms`,
      goal: percent === 99 ? '< 300 ms' : undefined,
    })
  })
}

/** Fifty concurrent chats; each must have an answer and its end. */
async function measureConcurrentChats(loupe: LoupeProcess): Promise<Figure> {
  const began = performance.now()
  const answers = await Promise.all(
    createQuestions(6, CONCURRENT_CHATS).map(async (query) => {
      let all = ''
      for await (const text of await openChat(loupe, query)) all += text
      return all.includes('"event":"message"') && all.includes('"event":"message_end"')
    }),
  )
  const against = `all ended after ${((performance.now() - began) / 1000).toFixed(1)} s`
  return toFigure('50 chats at once, lost', answers.filter((is) => !is).length, 'chats', { against, goal: '0' })
}

async function openChat(loupe: LoupeProcess, query: string): Promise<AsyncIterable<string>> {
  const { sendRaw } = createSender(loupe.platform, { authorization: `Bearer ${CHAT_KEY}` })
  const body = { query, user: 'bench', inputs: {}, response_mode: 'streaming', auto_generate_name: false }
  const response = await sendRaw('POST', '/chat-messages', body)
  if (!response.body) throw new Error('the chat has no stream')
  return response.body.pipeThrough(new TextDecoderStream())
}

/** Linux then resets the peak to the current resident memory. */
const resetPeakMemory = (loupe: LoupeProcess): void => writeFileSync(`/proc/${loupe.pid}/clear_refs`, '5')

/** Peak resident memory of the process in MiB since its start or the last reset, including all threads and the embedded database. */
const getPeakMemoryMib = ({ pid }: LoupeProcess): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
