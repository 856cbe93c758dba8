import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Figure } from '../figure.ts'
import { percentile } from '../percentile.ts'
import { createRandom, createSegmentText } from '../platform/syntheticTexts.ts'
import { type DatasetConsole, startDatasetConsole, toQuestion } from './suiteClient.ts'

const TEXT_BYTES = 1024 * 1024
const EDIT_COUNT = 30
const QUERIES_PER_EDIT = 10

/**
 * Edits of segments on the built-in platform: what the dry run says of questions before each, against what retrieval finds
 * after it was saved. Meanwhile somebody else reads, to see how long the dry runs keep others waiting.
 */
export async function runPredictionBench(): Promise<Figure[]> {
  const datasetConsole = await startDatasetConsole(TEXT_BYTES)
  const reader = startReader(datasetConsole)
  try {
    const { equal, changed, times } = await compareEdits(datasetConsole, reader)
    const waits = await reader.stop()
    const of = `${datasetConsole.segments.length} segments, ${EDIT_COUNT} edits`
    return [
      {
        bench: 'suites',
        what: `questions predicted as found after saving, ${of}`,
        value: (100 * equal) / (EDIT_COUNT * QUERIES_PER_EDIT),
        unit: '%',
        against: `${changed} of ${EDIT_COUNT * QUERIES_PER_EDIT} changed`,
        goal: '100 %',
      },
      { bench: 'suites', what: 'dry run of ten questions, median', value: percentile(times, 50), unit: 'ms' },
      {
        bench: 'suites',
        what: 'longest read of another session during dry runs',
        value: Math.max(...waits.dryRun),
        unit: 'ms',
        against: `${Math.round(Math.max(...waits.retrieval))} ms during ordinary retrieval`,
        goal: 'at most 250 ms',
      },
    ]
  } finally {
    await datasetConsole.loupe.remove()
  }
}

async function compareEdits(datasetConsole: DatasetConsole, reader: ReturnType<typeof startReader>) {
  const { dataset_id, document_id, segments, askPlatform } = datasetConsole
  const random = createRandom(11)
  const path = `/datasets/${dataset_id}/documents/${document_id}/segments`
  const times: number[] = []
  let [equal, changed] = [0, 0]
  for (let edit = 0; edit < EDIT_COUNT; edit++) {
    const segment = segments[Math.floor((edit * segments.length) / EDIT_COUNT)]
    if (!segment) continue
    const content = toEditedText(segment.content, edit, random)
    const change = content === null ? { removed: true } : { content }
    const queries = Array.from({ length: QUERIES_PER_EDIT }, (_, index) => {
      const other = segments[Math.floor(random.next() * segments.length)]?.content ?? ''
      return toQuestion([segment.content, content ?? other, other][index % 3] ?? other, random)
    })
    reader.watch('retrieval')
    const before = await askAll(datasetConsole, queries)
    reader.watch('dryRun')
    const began = performance.now()
    const { results } = await askPlatform<{ results: { records: FoundSegment[] }[] }>(
      'POST',
      `/datasets/${dataset_id}/retrieve/dry-run`,
      { queries, segments: [{ id: segment.id, document_id, ...change }] },
    )
    times.push(performance.now() - began)
    reader.watch(null)
    if (content === null) await askPlatform('DELETE', `${path}/${segment.id}`)
    else await askPlatform('POST', `${path}/${segment.id}`, { segment: { content } })
    const after = await askAll(datasetConsole, queries)
    for (const [index, found] of after.entries()) {
      const predicted = results[index]?.records.map(({ segment_id, score }) => ({ segment_id, score }))
      if (isDeepStrictEqual(predicted, found)) equal++
      if (!isDeepStrictEqual(before[index], found)) changed++
    }
  }
  return { equal, changed, times }
}

interface FoundSegment {
  segment_id: string
  score: number
}

async function askAll(
  { dataset_id, askPlatform }: DatasetConsole,
  queries: readonly string[],
): Promise<FoundSegment[][]> {
  const found: FoundSegment[][] = []
  for (const query of queries) {
    const { records } = await askPlatform<{ records: { segment: { id: string }; score: number }[] }>(
      'POST',
      `/datasets/${dataset_id}/retrieve`,
      { query },
    )
    found.push(records.map(({ segment, score }) => ({ segment_id: segment.id, score })))
  }
  return found
}

/** A few words less, other words, another text, or null for a segment that is deleted. */
function toEditedText(text: string, edit: number, random: ReturnType<typeof createRandom>): string | null {
  if (edit % 5 === 4) return null
  if (edit % 5 === 3) return createSegmentText(random)
  if (edit % 5 === 2) return `${text} ${createSegmentText(random)}`
  return text.slice(0, Math.floor(text.length * (edit % 5 === 1 ? 0.5 : 0.9)))
}

const READ_INTERVAL_MS = 5

type Activity = 'dryRun' | 'retrieval'

/** Somebody who lists datasets all the time; how long each read took, by what went on meanwhile. */
function startReader({ askPlatform }: DatasetConsole) {
  const waits: Record<Activity, number[]> = { dryRun: [0], retrieval: [0] }
  let isRunning = true
  let activity: Activity | null = null
  const run = async () => {
    while (isRunning) {
      const began = performance.now()
      const meanwhile = activity
      await askPlatform('GET', '/datasets?limit=1')
      if (meanwhile) waits[meanwhile].push(performance.now() - began)
      await wait(READ_INTERVAL_MS)
    }
  }
  const running = run()
  return {
    watch: (next: Activity | null) => void (activity = next),
    stop: async () => {
      isRunning = false
      await running
      return waits
    },
  }
}
