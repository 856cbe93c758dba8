import type { Batch } from '#contract/console/batches.ts'
import type { Workspace } from '#contract/console/workspaces.ts'
import { createPreparedLoupe, signIn } from './consoleClient.ts'
import { killDuringBatch, startBatch, waitForEnd } from './killBatch.ts'

export interface ImportKillResult {
  counts: Batch['counts']
  /** Rows that had ended when each kill came. */
  ended_before_kill: number[]
  /** Questions that the platform has not, and those that it has more than once. */
  missing: string[]
  duplicates: string[]
}

/**
 * Has a real Loupe import annotations into its own platform, kills both with `kill -9` at random moments, and starts them
 * again; nobody asks it to go on. Then the platform must list each question once.
 */
export async function killWhileImporting({ rows, kills }: { rows: number; kills: number }): Promise<ImportKillResult> {
  const loupe = await (await createPreparedLoupe()).start()
  try {
    const { send } = await signIn(loupe)
    const { data: workspaces } = await send<{ data: Workspace[] }>('GET', '/api/workspaces')
    const key = workspaces.flatMap(({ keys }) => keys).find(({ kind }) => kind === 'chat')?.id
    const questions = Array.from({ length: rows }, (_, index) => `Question ${index + 1} of the import?`)
    const id = await startBatch(
      send,
      { kind: 'annotations', key, name: 'Imported' },
      questions.map((question) => ({ inputs: { question, answer: `The answer to: ${question}` } })),
    )
    const moments = Array.from({ length: kills }, (_, kill) => ((kill + Math.random()) * 0.9) / kills)
    const ended_before_kill = await killDuringBatch(loupe, send, id, kills, (kill) => moments[kill - 1] ?? 0)
    const { counts } = await waitForEnd(send, id)
    const there: string[] = []
    for (let page = 1, more = true; more; page++) {
      const path = `/api/keys/${key}/apps/annotations?limit=100&page=${page}`
      const { data } = await send<{ data: { question: string }[] }>('GET', path)
      there.push(...data.map(({ question }) => question))
      more = data.length > 0
    }
    return {
      counts,
      ended_before_kill,
      missing: questions.filter((question) => !there.includes(question)),
      duplicates: questions.filter((question) => there.indexOf(question) !== there.lastIndexOf(question)),
    }
  } finally {
    await loupe.remove()
  }
}
