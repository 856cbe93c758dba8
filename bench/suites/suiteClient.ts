import { setTimeout as wait } from 'node:timers/promises'
import { LoupeProcess } from '#support/loupeProcess.ts'
import { type SendRequest, signIn } from '../../checks/kill/consoleClient.ts'
import { createParagraphs, createRandom } from '../platform/syntheticTexts.ts'

const KNOWLEDGE_KEY = 'knowledge-of-the-bench'
const POLL_INTERVAL_MS = 200

/** A console with a dataset of the built-in platform that holds one long document. */
export interface DatasetConsole {
  loupe: LoupeProcess
  dataset_id: string
  document_id: string
  segments: { id: string; content: string }[]
  /** Calls the platform itself. */
  askPlatform: SendJson
  /** Calls the console, signed in. */
  askConsole: SendRequest
}

/** The JSON of a reply, null for none. @throws Error for every status but 2xx */
type SendJson = <T>(method: string, path: string, body?: unknown) => Promise<T>

const createSender =
  (base: string, headers: Record<string, string>): SendJson =>
  async <T>(method: string, path: string, body?: unknown) => {
    const response = await fetch(base + path, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
    return (text === '' ? null : JSON.parse(text)) as T
  }

/** Starts Loupe, and indexes a text of so many bytes in segments of a paragraph each. */
export async function startDatasetConsole(bytes: number): Promise<DatasetConsole> {
  const loupe = await new LoupeProcess({ PLATFORM_KNOWLEDGE_KEY: KNOWLEDGE_KEY }).start()
  const askPlatform = createSender(loupe.platform, { authorization: `Bearer ${KNOWLEDGE_KEY}` })
  const { id: dataset_id } = await askPlatform<{ id: string }>('POST', '/datasets', { name: 'Suites' })
  const { document } = await askPlatform<{ document: { id: string } }>(
    'POST',
    `/datasets/${dataset_id}/document/create-by-text`,
    {
      name: 'Paragraphs',
      text: createParagraphs(createRandom(5), bytes),
      indexing_technique: 'economy',
      process_rule: {
        mode: 'custom',
        rules: { pre_processing_rules: [], segmentation: { separator: '\n\n', max_tokens: 1000 } },
      },
    },
  )
  const path = `/datasets/${dataset_id}/documents/${document.id}`
  for (;;) {
    const { indexing_status } = await askPlatform<{ indexing_status: string }>('GET', path)
    if (indexing_status === 'completed') break
    if (indexing_status === 'error') throw new Error('The document was not indexed.')
    await wait(POLL_INTERVAL_MS)
  }
  const segments: DatasetConsole['segments'] = []
  for (let page = 1, hasMore = true; hasMore; page++) {
    const list = await askPlatform<{ data: DatasetConsole['segments']; has_more: boolean }>(
      'GET',
      `${path}/segments?page=${page}&limit=100`,
    )
    segments.push(...list.data)
    hasMore = list.has_more
  }
  return { loupe, dataset_id, document_id: document.id, segments, askPlatform, askConsole: (await signIn(loupe)).send }
}

/** A question of a few words in a row out of a text. */
export function toQuestion(text: string, random: { next: () => number }): string {
  const words = text.includes(' ') ? text.split(' ') : [...text]
  const length = 3 + Math.floor(random.next() * 6)
  const from = Math.floor(random.next() * Math.max(1, words.length - length))
  return words
    .slice(from, from + length)
    .join(text.includes(' ') ? ' ' : '')
    .slice(0, 250)
}
