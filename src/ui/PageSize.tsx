import { NativeSelect } from '@mantine/core'
import { uiWords } from './messages.ts'
import classes from './Pager.module.css'
import { useWords } from './words.ts'

const SIZES = [10, 20, 50, 100]

/** How many rows stand on a page. A size that a link brought stays among the sizes. */
export function PageSize({ limit, onLimit }: { limit: number; onLimit: (limit: number) => void }) {
  const t = useWords(uiWords)
  return (
    <NativeSelect
      className={classes.size}
      aria-label={t('pageSize')}
      value={String(limit)}
      onChange={(event) => onLimit(Number(event.currentTarget.value))}
      data={[...new Set([...SIZES, limit])]
        .sort((one, other) => one - other)
        .map((size) => ({ value: String(size), label: t('aPage', { limit: size }) }))}
    />
  )
}
