import { toFileEntries, type FileEntry } from '../../runs/inputs/inputFiles.ts'
import type { FormValues } from '../../runs/inputs/inputFields.ts'
import type { Problem } from '#contract/problem.ts'
import { type SavedItem, savedItemEndpoints } from '#contract/console/savedItems.ts'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { useRead } from '../../../client/query.ts'

/** A saved set of inputs: form values and files. */
export interface InputSet {
  filled: FormValues
  files: FileEntry[]
}

/** Parses a saved value as a set of inputs; unknown fields are dropped. */
export function toInputSet(value: unknown): InputSet {
  const { filled, files } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
  const fields = typeof filled === 'object' && filled !== null ? Object.entries(filled) : []
  return {
    filled: Object.fromEntries(fields.filter((pair): pair is [string, string] => typeof pair[1] === 'string')),
    files: Array.isArray(files) ? toFileEntries(files) : [],
  }
}

/** Whether two sets are equal, independent of field order. */
export const isSameInputSet = (one: InputSet, other: InputSet): boolean =>
  toComparableText(one) === toComparableText(other)

const toComparableText = ({ filled, files }: InputSet): string =>
  JSON.stringify([Object.entries(filled).sort(([a], [b]) => (a < b ? -1 : 1)), files])

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
