import type { Workspace } from '#contract/console.ts'
import type { Attention } from '#contract/figures.ts'
import { contract } from '#contract/index.ts'
import { useReads } from '../../wire/query.ts'
import { standing } from './standing.ts'

/** So many datasets are asked how their documents stand. */
const ASKED = 8

/** Documents that do not move. What this console remembers of them may be old: nobody looked since, so they are asked for again. */
export function useStalled(
  remembered: Attention['stalled'],
  workspaces: readonly Workspace[],
): readonly Attention['stalled'][number][] {
  const keyOf = (workspace: string) =>
    workspaces.find(({ id }) => id === workspace)?.keys.find(({ kind }) => kind === 'knowledge')?.id
  const held = new Map(remembered.map(({ workspace, dataset }) => [dataset, keyOf(workspace)]))
  const asked = [...held].flatMap(([dataset, key]) => (key ? [{ dataset, key }] : [])).slice(0, ASKED)
  const replies = useReads(
    contract.documents.list,
    asked.map(({ dataset, key }) => ({ key, params: { dataset_id: dataset }, query: { page: 1, limit: 100 } })),
  )
  return remembered.flatMap(
    (one) => standing(one, replies[asked.findIndex(({ dataset }) => dataset === one.dataset)]) ?? [],
  )
}
