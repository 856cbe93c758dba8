import { useLocalStorage } from '@mantine/hooks'
import type { TableColumn } from './Table.tsx'

/** A column that can be hidden. */
export interface ChoosableColumn<Row> extends TableColumn<Row> {
  /** Identifies the column in the stored choice, independent of its header. */
  id: string
  /** The header under which releases before 2026-11 stored the choice, if it differs from the id. */
  formerHeader?: string
}

export interface ColumnVisibility<Row> {
  all: readonly ChoosableColumn<Row>[]
  visible: readonly ChoosableColumn<Row>[]
  isVisible: (id: string) => boolean
  toggle: (id: string) => void
}

/** The visible columns, stored in this browser under a name. The first always stays: it contains the link. */
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

/** The ids of stored columns; maps headers from earlier releases to ids. */
export const toColumnIds = (stored: readonly string[], all: readonly ChoosableColumn<never>[]): string[] =>
  stored.map((one) => all.find(({ id, formerHeader }) => id !== one && formerHeader === one)?.id ?? one)
