import type { Batch } from '#contract/console/batches.ts'
import type { Workspace } from '#contract/console/workspaces.ts'
import { waitForEnd, waitForEndedRows } from './killBatch.ts'
import { createPreparedLoupe, type SendRequest, signIn } from './consoleClient.ts'

export interface ImportKillResult {
  counts: Batch['counts']
  /** Rows that had ended when each kill came. */
  ended_before_kill: number[]
  /** Questions that the platform has not, and those that it has more than once. */
  missing: string[]
  duplicates: string[]
}

/**
 * Has a real Loupe import annotations into its own platform, kills both with `kill -9` at moments that `chance` (0 to below
 * 1) chooses, and starts them again; nobody asks it to go on. Then the platform must list each question once.
 */
export async function killWhileImporting({
  rows,
  kills,
  chance: random,
}: {
  rows: number
  kills: number
  chance: () => number
}): Promise<ImportKillResult> {
  const loupe = await (await createPreparedLoupe()).start()
  try {
    const { send } = await signIn(loupe)
    const key = await findAppKey(send)
    const questions = Array.from({ length: rows }, (_, index) => `Question ${index + 1} of the import?`)
    const id = await startImport(send, key, questions)
    const ended_before: number[] = []
    for (let kill = 0; kill < kills; kill++) {
      ended_before.push(await waitForEndedRows(send, id, Math.floor(((kill + random()) * rows * 0.9) / kills)))
      await loupe.kill()
      await loupe.start()
    }
    const { counts } = await waitForEnd(send, id)
    const there = await countByQuestion(send, key)
    return {
      counts,
      ended_before_kill: ended_before,
      missing: questions.filter((question) => !there.has(question)),
      duplicates: questions.filter((question) => (there.get(question) ?? 0) > 1),
    }
  } finally {
    await loupe.remove()
  }
}

async function findAppKey(send: SendRequest): Promise<string> {
  const { data } = await send<{ data: Workspace[] }>('GET', '/api/workspaces')
  const key = data.find(({ builtin }) => builtin)?.keys.find(({ kind }) => kind === 'chat')
  if (!key) throw new Error('the built-in platform has no chat app')
  return key.id
}

async function startImport(send: SendRequest, key: string, questions: string[]): Promise<string> {
  const made = { kind: 'annotations', key, name: 'Imported', total: questions.length }
  const { id } = await send<Batch>('POST', '/api/batches', made)
  const rows = questions.map((question) => ({ inputs: { question, answer: `The answer to: ${question}` } }))
  await send('POST', `/api/batches/${id}/rows`, { first: 1, rows })
  await send('POST', `/api/batches/${id}/start`, {})
  return id
}

/** How often the platform has each question. */
async function countByQuestion(send: SendRequest, key: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (let page = 1; ; page++) {
    const path = `/api/keys/${key}/apps/annotations?limit=100&page=${page}`
    const { data } = await send<{ data: { question: string }[] }>('GET', path)
    for (const { question } of data) counts.set(question, (counts.get(question) ?? 0) + 1)
    if (data.length === 0) return counts
  }
}
