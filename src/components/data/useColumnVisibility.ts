import { useLocalStorage } from '@mantine/hooks'
import type { TableColumn } from './Table.tsx'

/** A column that a person may hide. */
export interface ChoosableColumn<Row> extends TableColumn<Row> {
  /** Names the column in the stored choice, whatever its header says. */
  id: string
  /** The header under which releases before 2026-11 stored the choice, where it was not the id. */
  formerHeader?: string
}

export interface ColumnVisibility<Row> {
  all: readonly ChoosableColumn<Row>[]
  visible: readonly ChoosableColumn<Row>[]
  isVisible: (id: string) => boolean
  toggle: (id: string) => void
}

/** The columns that a person has chosen, stored in this browser under a name. The first always stays: it holds the link. */
export function useColumnVisibility<Row>(
  name: string,
  all: readonly ChoosableColumn<Row>[],
  hiddenAtFirst: readonly string[] = [],
): ColumnVisibility<Row> {
  const [stored, setStored] = useLocalStorage<readonly string[]>({
    key: `loupe-columns-${name}`,
    defaultValue: hiddenAtFirst,
    getInitialValueInEffect: false,
  })
  const hidden = toColumnIds(stored, all)
  const isVisible = (id: string) => id === all[0]?.id || !hidden.includes(id)
  return {
    all,
    visible: all.filter(({ id }) => isVisible(id)),
    isVisible,
    toggle: (id) => setStored(isVisible(id) ? [...hidden, id] : hidden.filter((one) => one !== id)),
  }
}

/** The ids of stored columns; a header of an earlier release becomes the id of its column. */
export const toColumnIds = (stored: readonly string[], all: readonly ChoosableColumn<never>[]): string[] =>
  stored.map((one) => all.find(({ id, formerHeader }) => id !== one && formerHeader === one)?.id ?? one)
