import { LoupeProcess } from '#support/loupeProcess.ts'
import { startModelEndpoint } from '../../server/platform/model/modelEndpoint.fixture.ts'
import type { Figure } from '../figure.ts'
import { copyFilledPlatform, EMBEDDING_MODEL } from '../platform/filledPlatform.ts'
import { createRandom } from '../platform/syntheticTexts.ts'
import { readCpuMs } from './cpuTime.ts'
import { KNOWLEDGE_KEY, loadDataset, retrieveSegments, type CollectionDataset } from './knowledgeClient.ts'
import type { IndexedText } from './okapiIndex.ts'
import { METRICS_DEPTH } from './rankingMetrics.ts'
import { createRecombinedTexts, fingerprintCollections } from './recombinedTexts.ts'
import type { RetrievalCollection } from './retrievalCollections.ts'
import { type Goal, INDEXING_GOAL, maxGoal, minGoal, toIndexingFigure, toLatencyFigures } from './retrievalFigures.ts'

const PASSAGE_COUNT = 3200
const SEGMENT_COUNT = 100_000
const WARM_UP_QUERIES = 20
const QUERY_COUNT = 400
const EMBEDDED_DOCUMENTS = 600
/** What the embedding endpoint of this bench does. */
const EMBEDDED_TEXTS_PER_SECOND = 700
const EMBEDDING_DIMENSIONS = 384
const EMBEDDING_SEED = 3

/** Time of `/retrieve` over many passages, and documents a second, with texts of all collections in one dataset. */
export async function measureRetrievalSpeed(collections: readonly RetrievalCollection[]): Promise<Figure[]> {
  const queries = pickEvenly(
    collections.flatMap(({ queries }) => queries.map(({ text }) => text)),
    QUERY_COUNT,
  )
  return [
    ...(await measurePassages(collections, queries)),
    ...(await measureSegments(collections, queries)),
    ...(await measureEmbedding(collections)),
  ]
}

/** Loaded through the API. */
async function measurePassages(collections: readonly RetrievalCollection[], queries: readonly string[]) {
  const own = pickEvenly(
    collections.flatMap(({ docs }) => docs),
    PASSAGE_COUNT,
  )
  const random = createRandom(1)
  const createText = createRecombinedTexts(collections)
  const recombined = Array.from({ length: PASSAGE_COUNT - own.length }, () => ({ id: '', text: createText(random) }))
  const loupe = await new LoupeProcess({ PLATFORM_KNOWLEDGE_KEY: KNOWLEDGE_KEY }).start()
  try {
    console.error(`retrieval: ${PASSAGE_COUNT} passages ...`)
    const dataset = await loadDataset(loupe, 'passages', [...own, ...recombined])
    const label = `${PASSAGE_COUNT.toLocaleString('en')} passages: `
    const source = `${own.length.toLocaleString('en')} of the collections, ${recombined.length} of their sentences`
    return [
      toIndexingFigure(label, dataset, { source, goal: INDEXING_GOAL }),
      ...(await measureLatency(loupe, dataset, queries, { label, goal: maxGoal(30) })),
    ]
  } finally {
    await loupe.remove()
  }
}

/** Written as the platform bench writes them: through the API it would take an hour. */
async function measureSegments(collections: readonly RetrievalCollection[], queries: readonly string[]) {
  const loupe = new LoupeProcess({ PLATFORM_KNOWLEDGE_KEY: KNOWLEDGE_KEY })
  try {
    console.error(`retrieval: ${SEGMENT_COUNT} segments ...`)
    const id = await copyFilledPlatform(loupe.folder, SEGMENT_COUNT, {
      createText: createRecombinedTexts(collections),
      fingerprint: fingerprintCollections(collections),
      hasVectors: false,
    })
    await loupe.start()
    const label = `${SEGMENT_COUNT.toLocaleString('en')} segments: `
    return await measureLatency(loupe, { id, idByDocument: new Map() }, queries, { label, goal: maxGoal(40) })
  } finally {
    await loupe.remove()
  }
}

async function measureLatency(
  loupe: LoupeProcess,
  dataset: CollectionDataset,
  queries: readonly string[],
  { label, goal }: { label: string; goal: Goal },
): Promise<Figure[]> {
  for (const query of pickEvenly(queries, WARM_UP_QUERIES)) await retrieveSegments(loupe, dataset, query, METRICS_DEPTH)
  const durationsMs: number[] = []
  const cpuMs = readCpuMs(loupe)
  for (const query of queries) {
    const began = performance.now()
    const segments = await retrieveSegments(loupe, dataset, query, METRICS_DEPTH)
    durationsMs.push(performance.now() - began)
    if (segments.length === 0) throw new Error(`nothing was found for ${query}`)
  }
  return toLatencyFigures(label, durationsMs, {
    cpuMsPerQuery: (readCpuMs(loupe) - cpuMs) / queries.length,
    source: `${queries.length} queries of all collections, in one dataset`,
    goal,
  })
}

/** The largest collection, or a part of it, with random vectors from an endpoint of limited speed. */
async function measureEmbedding(collections: readonly RetrievalCollection[]): Promise<Figure[]> {
  const [largest] = collections.toSorted((one, other) => other.docs.length - one.docs.length)
  const documents: readonly IndexedText[] = largest?.docs.slice(0, EMBEDDED_DOCUMENTS) ?? []
  const random = createRandom(EMBEDDING_SEED)
  const model = await startModelEndpoint({
    vector: () => Array.from({ length: EMBEDDING_DIMENSIONS }, () => random.next() - 0.5),
    textsPerSecond: EMBEDDED_TEXTS_PER_SECOND,
  })
  const loupe = new LoupeProcess({
    PLATFORM_KNOWLEDGE_KEY: KNOWLEDGE_KEY,
    MODEL_BASE_URL: model.url,
    EMBEDDING_MODEL,
  })
  try {
    await loupe.start()
    console.error(`retrieval: ${documents.length} embedded documents ...`)
    const dataset = await loadDataset(loupe, 'embedded', documents, 'high_quality')
    const calls = model.calls.filter(({ path }) => path === '/v1/embeddings')
    const texts = calls.reduce((sum, { body }) => sum + (body['input'] as string[]).length, 0)
    return [
      toIndexingFigure(`${largest?.name}, ${documents.length} documents with embeddings: `, dataset, {
        goal: minGoal(60),
        source: `${texts} texts in ${calls.length} requests to an endpoint of ${EMBEDDED_TEXTS_PER_SECOND} texts/s`,
      }),
    ]
  } finally {
    await loupe.remove()
    await model.close()
  }
}

/** So many of the list, with equal steps between them; all if the list is shorter. */
function pickEvenly<T>(list: readonly T[], count: number): T[] {
  const step = Math.max(1, list.length / count)
  return list.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step))
}
