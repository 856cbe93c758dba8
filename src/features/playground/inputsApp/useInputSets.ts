import type { SavedItem } from '#contract/console/savedItems.ts'
import { contract } from '#contract/index.ts'
import type { Problem } from '#contract/problem.ts'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { useRead } from '../../../client/query.ts'

export interface InputSetsRead {
  sets: SavedItem[]
  /** The one in the URL (`?set=`), undefined where it is not among them. */
  selected: SavedItem | undefined
  /** The URL names one that is not kept (any more). */
  isMissing: boolean
  problem: Problem | null
  retry: () => void
}

/** The sets of inputs that are kept for an app, whoever kept them. */
export function useInputSets(workspace: string, app: string): InputSetsRead {
  const { get } = useSearchParamState()
  const list = useRead(contract.console.listSavedItems, { query: { kind: 'input_set', workspace, about: app } })
  const sets = list.data?.data ?? []
  const selectedId = get('set')
  const selected = sets.find(({ id }) => id === selectedId)
  return {
    sets,
    selected,
    isMissing: selectedId !== undefined && list.isSuccess && !selected,
    problem: list.error && !list.data ? list.error.problem : null,
    retry: () => void list.refetch(),
  }
}
