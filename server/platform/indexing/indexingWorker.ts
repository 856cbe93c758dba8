import { parentPort } from 'node:worker_threads'
import { PlatformError } from '../platformErrors.ts'
import { chunkDocument, chunkWhole, type ChunkingJob, type ChunkingStage } from './chunkDocument.ts'
import { countTokens } from './tokenCount.ts'
import type { ChunkingResult, WorkerRequest, WorkerResponse } from './workerPool.ts'

/** The worker thread of the pool: one request, one response. */
let chunkingStages: Iterator<ChunkingStage> | null = null

parentPort?.on('message', (order: WorkerRequest) => {
  void handleRequest(order)
    .catch(toErrorResponse)
    .then((report) => parentPort?.postMessage(report))
})

async function handleRequest(request: WorkerRequest): Promise<WorkerResponse> {
  if (request.order === 'extract') {
    // Loaded with the first file: building segments needs no PDF reader.
    const { extractText } = await import('./extractText.ts')
    return { report: 'text', read: await extractText(request.extraction) }
  }
  if (request.order === 'count') return { report: 'count', tokens: countTokens(request.text) }
  if (request.order === 'make all') return { report: 'all', results: request.jobs.map(tryChunkWhole) }
  if (request.order === 'make') chunkingStages = chunkDocument(request.making)
  const next = chunkingStages?.next()
  if (next && !next.done) return { report: 'stage', stage: next.value }
  chunkingStages = null
  return { report: 'done' }
}

function tryChunkWhole(chunkingJob: ChunkingJob): ChunkingResult {
  try {
    return { chunked: chunkWhole(chunkingJob) }
  } catch (error) {
    return { failure: toMessage(error) }
  }
}

function toErrorResponse(error: unknown): WorkerResponse {
  if (error instanceof PlatformError) {
    const { status, code, message } = error
    return { report: 'refused', status, code, message }
  }
  return { report: 'failed', message: toMessage(error) }
}

const toMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))
