import { parentPort } from 'node:worker_threads'
import { PlatformError } from '../platformErrors.ts'
import { chunkDocument, MAX_STAGES_OF_SMALL, type ChunkingJob, type ChunkingStage } from './chunkDocument.ts'
import { countTokens } from './tokenCount.ts'
import type { TaskResult, WorkerTasks } from './workerPool.ts'

let chunkingStages: Iterator<ChunkingStage> | undefined
const nextStage = (): ChunkingStage | null => {
  const next = chunkingStages?.next()
  return next?.done === false ? next.value : null
}

type TaskHandlers = {
  [Task in keyof WorkerTasks]: (
    argument: WorkerTasks[Task]['argument'],
  ) => WorkerTasks[Task]['result'] | Promise<WorkerTasks[Task]['result']>
}
const handlers: TaskHandlers = {
  // Loaded with the first file: building segments needs no PDF reader.
  extractText: async (extraction) => (await import('./extractText.ts')).extractText(extraction),
  countTokens,
  startChunking(job) {
    chunkingStages = chunkDocument(job)
    return nextStage()
  },
  nextStage,
  chunkAll: (jobs) => jobs.map(chunkSmallText),
}

function chunkSmallText(job: ChunkingJob): ChunkingStage[] {
  const stages: ChunkingStage[] = []
  try {
    for (const stage of chunkDocument(job)) if (stages.push(stage) > MAX_STAGES_OF_SMALL) break
    return stages
  } catch {
    return []
  }
}

parentPort?.on('message', ({ task, argument }: { task: keyof WorkerTasks; argument: never }) => {
  void runTask(task, argument).then((result) => parentPort?.postMessage(result))
})

async function runTask(task: keyof WorkerTasks, argument: never): Promise<TaskResult> {
  try {
    return { result: await handlers[task](argument) }
  } catch (error) {
    const refusal = error instanceof PlatformError ? { status: error.status, code: error.code } : null
    return { failure: error instanceof Error ? error.message : String(error), refusal }
  }
}
