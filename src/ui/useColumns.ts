import { useLocalStorage } from '@mantine/hooks'
import type { Column } from './Table.tsx'

export interface Columns<Row> {
  all: readonly Column<Row>[]
  shown: readonly Column<Row>[]
  isShown: (head: string) => boolean
  toggle: (head: string) => void
}

/** The columns that a person has chosen, kept in this browser under a name. The first always stays: it holds the link. */
export function useColumns<Row>(
  name: string,
  all: readonly Column<Row>[],
  hiddenAtFirst: readonly string[] = [],
): Columns<Row> {
  const [hidden, setHidden] = useLocalStorage<readonly string[]>({
    key: `loupe-columns-${name}`,
    defaultValue: hiddenAtFirst,
    getInitialValueInEffect: false,
  })
  const isShown = (head: string) => head === all[0]?.head || !hidden.includes(head)
  return {
    all,
    shown: all.filter(({ head }) => isShown(head)),
    isShown,
    toggle: (head) => setHidden(isShown(head) ? [...hidden, head] : hidden.filter((one) => one !== head)),
  }
}
