import { Button } from '@mantine/core'
import { componentMessages } from '../i18n/messages.ts'
import { PageSizeSelect } from './PageSizeSelect.tsx'
import classes from './Pager.module.css'
import { useMessages } from '../i18n/useMessages.ts'

export interface CursorPagerProps {
  /** Rows of this page. */
  rows: number
  /** How many there are as far as they were counted; null on any page but the first. */
  total: number | null
  /** There are more than were counted. */
  isTotalCapped: boolean
  /** Where the next page begins; null on the last one. */
  nextCursor: string | null
  /** Goes to the page that begins there, or to the newest. */
  onPage: (before: string | null) => void
  /** Rows a page; without it the size is fixed. */
  limit?: number
  onLimit?: (limit: number) => void
}

/** Under a list that goes on from where its last page ended, newest first. Back goes to the page before. */
export function CursorPager({ rows, total, isTotalCapped, nextCursor, onPage, limit, onLimit }: CursorPagerProps) {
  const t = useMessages(componentMessages)
  const cursor = toCursorParams()
  return (
    <nav className={classes.pager} aria-label={cursor}>
      <span>{cursor}</span>
      <Button size="compact-sm" variant="default" disabled={total !== null} onClick={() => onPage(null)}>
        {t('newest')}
      </Button>
      <Button size="compact-sm" variant="default" disabled={nextCursor === null} onClick={() => onPage(nextCursor)}>
        {t('older')}
      </Button>
      {limit !== undefined && onLimit ? <PageSizeSelect limit={limit} onLimit={onLimit} /> : null}
    </nav>
  )

  function toCursorParams(): string {
    if (nextCursor === null) return t(total === null ? 'lastOlderCount' : 'totalCount', { rows })
    if (rows === 0) return t('noMatchSoFar')
    if (total === null) return t('olderCount', { rows })
    return t(isTotalCapped ? 'newestOfMore' : 'newestOf', { rows, total: Math.max(total, rows) })
  }
}
