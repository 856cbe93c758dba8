import { Button } from '@mantine/core'
import { uiWords } from './messages.ts'
import { PageSize } from './PageSize.tsx'
import classes from './Pager.module.css'
import { useWords } from './words.ts'

export interface SlicesProps {
  /** Rows of this page. */
  rows: number
  /** How many there are as far as they were counted; null on any page but the first. */
  total: number | null
  /** There are more than were counted. */
  beyond: boolean
  /** Where the next page begins; null on the last one. */
  next: string | null
  /** Goes to the page that begins there, or to the newest. */
  onPage: (before: string | null) => void
  /** Rows a page; without it the size is fixed. */
  limit?: number
  onLimit?: (limit: number) => void
}

/** Under a list that goes on from where its last page ended, newest first. Back goes to the page before. */
export function Slices({ rows, total, beyond, next, onPage, limit, onLimit }: SlicesProps) {
  const t = useWords(uiWords)
  const where = whereOf()
  return (
    <nav className={classes.pager} aria-label={where}>
      <span>{where}</span>
      <Button size="compact-sm" variant="default" disabled={total !== null} onClick={() => onPage(null)}>
        {t('newest')}
      </Button>
      <Button size="compact-sm" variant="default" disabled={next === null} onClick={() => onPage(next)}>
        {t('older')}
      </Button>
      {limit !== undefined && onLimit ? <PageSize limit={limit} onLimit={onLimit} /> : null}
    </nav>
  )

  function whereOf(): string {
    if (next === null) return t(total === null ? 'lastOlder' : 'inAll', { rows })
    if (rows === 0) return t('noneHere')
    if (total === null) return t('someOlder', { rows })
    return t(beyond ? 'newestOfMore' : 'newestOf', { rows, total: Math.max(total, rows) })
  }
}
