import {
  type ChoosableColumn,
  type ColumnVisibility,
  useColumnVisibility,
} from '../../../components/data/useColumnVisibility.ts'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import type { CallListPreset } from './callListParams.ts'
import type { CallListRow } from './callListRow.ts'
import { HIDDEN_COLUMNS } from './CallTable.tsx'

/**
 * The columns of the list: the person's own choice, or that of a view, which is in the URL (`columns=app,duration`) and there
 * from then on.
 */
export function useListColumns(
  preset: CallListPreset,
  all: readonly ChoosableColumn<CallListRow>[],
): ColumnVisibility<CallListRow> {
  const { get, set } = useSearchParamState()
  const own = useColumnVisibility(preset, all, HIDDEN_COLUMNS[preset])
  const named = get('columns')?.split(',')
  if (!named) return own
  const isVisible = (id: string) => id === all[0]?.id || named.includes(id)
  return {
    all,
    visible: all.filter(({ id }) => isVisible(id)),
    isVisible,
    toggle: (id) => {
      const next = isVisible(id) ? named.filter((one) => one !== id) : [...named, id]
      set({ columns: next.join(','), before: get('before') ?? null }, { replace: true })
    },
  }
}
