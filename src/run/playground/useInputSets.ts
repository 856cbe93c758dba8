import type { Kept } from '#contract/kept.ts'
import { contract } from '#contract/index.ts'
import type { Problem } from '#contract/problem.ts'
import { useListState } from '../../ui/useListState.ts'
import { useRead } from '../../wire/query.ts'

export interface InputSets {
  sets: Kept[]
  /** The one in the URL (`?set=`), undefined where it is not among them. */
  chosen: Kept | undefined
  /** The URL names one that is not kept (any more). */
  isGone: boolean
  problem: Problem | null
  retry: () => void
}

/** The sets of inputs that are kept for an app, whoever kept them. */
export function useInputSets(workspace: string, app: string): InputSets {
  const { get } = useListState()
  const list = useRead(contract.console.listKept, { query: { kind: 'input_set', workspace, about: app } })
  const sets = list.data?.data ?? []
  const named = get('set')
  const chosen = sets.find(({ id }) => id === named)
  return {
    sets,
    chosen,
    isGone: named !== undefined && list.isSuccess && !chosen,
    problem: list.error && !list.data ? list.error.problem : null,
    retry: () => void list.refetch(),
  }
}
