import type { Problem } from '#contract/problem.ts'
import { type SavedItem, savedItemEndpoints } from '#contract/console/savedItems.ts'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { useRead } from '../../../client/query.ts'

export interface InputSetsRead {
  sets: SavedItem[]
  /** The set in the URL (`?set=`), undefined if not found. */
  selected: SavedItem | undefined
  /** The URL names a set that does not exist (any more). */
  isMissing: boolean
  problem: Problem | null
  retry: () => void
}

/** The saved input sets of an app, of all people. */
export function useInputSets(workspace: string, app: string): InputSetsRead {
  const { get } = useSearchParamState()
  const list = useRead(savedItemEndpoints.listSavedItems, { query: { kind: 'input_set', workspace, about: app } })
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
