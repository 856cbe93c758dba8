import { useLocalStorage } from '@mantine/hooks'
import type { TableColumn } from './Table.tsx'

export interface ColumnVisibility<Row> {
  all: readonly TableColumn<Row>[]
  visible: readonly TableColumn<Row>[]
  isVisible: (head: string) => boolean
  toggle: (head: string) => void
}

/** The columns that a person has chosen, kept in this browser under a name. The first always stays: it holds the link. */
export function useColumnVisibility<Row>(
  name: string,
  all: readonly TableColumn<Row>[],
  hiddenAtFirst: readonly string[] = [],
): ColumnVisibility<Row> {
  const [hidden, setHidden] = useLocalStorage<readonly string[]>({
    key: `loupe-columns-${name}`,
    defaultValue: hiddenAtFirst,
    getInitialValueInEffect: false,
  })
  const isShown = (head: string) => head === all[0]?.header || !hidden.includes(head)
  return {
    all,
    visible: all.filter(({ header }) => isShown(header)),
    isVisible: isShown,
    toggle: (head) => setHidden(isShown(head) ? [...hidden, head] : hidden.filter((one) => one !== head)),
  }
}
