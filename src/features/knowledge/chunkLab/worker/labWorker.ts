import { makeTokenCounter, type CountTokens } from '#domain/chunking/tokenCounter.ts'
import { cleanText } from '#domain/chunking/cleanText.ts'
import { chunkWithWarnings, type LabChunk, toLabPlan } from './labChunking.ts'
import { countCharacters } from '#domain/chunking/chunkMeasure.ts'
import { computeChunkStats, toTotals } from './chunkStats.ts'
import type { LabWorkerRequest, LabWorkerResponse } from './labWorkerMessages.ts'

/** The lab's own thread: the vocabulary of the tokenizer, the readers of files and the cut itself never block the page. */
const scope = globalThis as unknown as {
  postMessage: (response: LabWorkerResponse) => void
  onmessage: ((event: MessageEvent<LabWorkerRequest>) => void) | null
}
const cancelledIds = new Set<number>()
/** Milliseconds of work between two checks for new requests, and between two updates of the page. */
const YIELD_INTERVAL_MS = 40
const UPDATE_INTERVAL_MS = 400
/** Chunks in the first update, whatever the time. */
const FIRST_UPDATE_CHUNKS = 50

scope.onmessage = ({ data }) => {
  if (data.kind === 'cancel') {
    cancelledIds.add(data.id)
    return
  }
  handleRequest(data).catch((error: unknown) =>
    scope.postMessage({ id: data.id, kind: 'failed', reason: error instanceof Error ? error.message : String(error) }),
  )
}

async function handleRequest(request: Exclude<LabWorkerRequest, { kind: 'cancel' }>): Promise<void> {
  const { id } = request
  if (request.kind === 'read') {
    const { readFileText } = await import('./fileText.ts')
    const read = await readFileText(request.file, request.encoding)
    scope.postMessage(
      'text' in read ? { id, kind: 'read', document: read } : { id, kind: 'unread', reason: read.unread },
    )
    return
  }
  const countTokens = await loadTokenizer()
  if (request.kind === 'count') {
    scope.postMessage({ id, kind: 'count', tokens: countTokens(request.text) })
    return
  }
  await chunkText(request, countTokens)
}

async function chunkText(
  { id, text: given, layout, setting, measure }: Extract<LabWorkerRequest, { kind: 'cut' }>,
  countTokens: CountTokens,
) {
  const startedAt = performance.now()
  const plan = toLabPlan(setting)
  const countSize = measure === 'characters' ? countCharacters : countTokens
  let tokens = 0
  const text = cleanText(given, plan.cleaning)
  scope.postMessage({ id, kind: 'tidied', text })
  const all: LabChunk[] = []
  let sentCount = 0
  const sendChunks = (at: number) => {
    scope.postMessage({ id, kind: 'chunks', chunks: all.slice(sentCount), figures: computeChunkStats(all), at })
    sentCount = all.length
  }
  let lastYieldAt = performance.now()
  let lastUpdateAt = lastYieldAt
  for (const chunk of chunkWithWarnings(text, plan, countSize, countTokens, layout)) {
    all.push(chunk)
    tokens += measure === 'characters' ? countTokens(text.slice(chunk.start, chunk.end)) : chunk.tokens
    const now = performance.now()
    if (all.length === FIRST_UPDATE_CHUNKS || now - lastUpdateAt > UPDATE_INTERVAL_MS) {
      sendChunks(chunk.end)
      lastUpdateAt = now
    }
    if (now - lastYieldAt < YIELD_INTERVAL_MS) continue
    await new Promise((resolve) => setTimeout(resolve))
    if (cancelledIds.delete(id)) return
    lastYieldAt = performance.now()
  }
  if (all.length > sentCount) sendChunks(text.length)
  scope.postMessage({ id, kind: 'done', took: performance.now() - startedAt, totals: toTotals(text, tokens) })
}

let tokenizerPromise: Promise<CountTokens> | undefined

/** o200k_base, as the built-in platform counts; other platforms count a little differently. */
const loadTokenizer = (): Promise<CountTokens> =>
  (tokenizerPromise ??= import('gpt-tokenizer').then(({ countTokens, setMergeCacheSize }) => {
    // Its cache gets slower the more words it holds (server/platform/indexing/tokenCount.ts).
    setMergeCacheSize(0)
    const asText = { disallowedSpecial: new Set<string>() }
    return makeTokenCounter((text) => countTokens(text, asText))
  }))
