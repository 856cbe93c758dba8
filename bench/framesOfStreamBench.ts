import { randomBytes, randomUUID } from 'node:crypto'
import { EventSplitter } from '../server/runs/streaming/eventSplitter.ts'
import { StreamRedactor } from '../server/runs/streaming/streamRedactor.ts'
import type { Figure } from './figure.ts'

const STREAM_COUNT = 300
const FRAMES_PER_STREAM = 240
const MICROSECONDS_PER_MS = 1_000

/** What the main thread does with each frame before it is stored, against parsing its JSON. Each stream has ids of its own. */
export function runFramesOfStreamBench(): Promise<Figure[]> {
  const secret = `app-${randomBytes(18).toString('base64url')}`
  const spent = { parse: 0, split: 0, redact: 0 }
  const measure = (part: keyof typeof spent, work: () => void): void => {
    const startedAt = performance.now()
    work()
    spent[part] += performance.now() - startedAt
  }
  for (let stream = 0; stream < STREAM_COUNT; stream++) {
    const texts = createEvents()
    const blocks = texts.map((text) => `data: ${text}`)
    const chunks = blocks.map((block) => Buffer.from(`${block}\n\n`))
    const [splitter, redactor] = [new EventSplitter(), new StreamRedactor(secret)]
    measure('parse', () => texts.forEach((text) => void JSON.parse(text)))
    measure('split', () => chunks.forEach((chunk) => void [...splitter.push(chunk)]))
    measure('redact', () =>
      blocks.forEach((block, at) => void redactor.clean({ seq: at + 1, at, bytes: block.length + 2, block })),
    )
  }
  const perFrame = (ms: number) => `${((ms * MICROSECONDS_PER_MS) / (STREAM_COUNT * FRAMES_PER_STREAM)).toFixed(2)} µs`
  return Promise.resolve(
    (['split', 'redact'] as const).map((part): Figure => ({
      bench: 'frame',
      what: `${part} a frame of a stream`,
      value: spent[part] / spent.parse,
      unit: 'times',
      against: `${perFrame(spent[part])}; parsing its JSON ${perFrame(spent.parse)}`,
    })),
  )
}

function createEvents(): string[] {
  const [conversation_id, message_id, task_id] = [randomUUID(), randomUUID(), randomUUID()]
  const event = { event: 'message', conversation_id, message_id, created_at: 1_763_900_000, task_id, id: message_id }
  return Array.from({ length: FRAMES_PER_STREAM }, (_, index) => JSON.stringify({ ...event, answer: ` word${index}` }))
}
