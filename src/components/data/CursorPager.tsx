import { Button } from '@mantine/core'
import { pagerMessages } from './pagerMessages.ts'
import { PageSizeSelect } from './PageSizeSelect.tsx'
import classes from './Pager.module.css'
import { useMessages } from '../i18n/useMessages.ts'

export interface CursorPagerProps {
  /** Rows of this page. */
  rows: number
  /** The counted total; null on every page except the first. */
  total: number | null
  /** There are more rows than were counted. */
  isTotalCapped: boolean
  /** The cursor of the next page; null on the last one. */
  nextCursor: string | null
  /** Goes to the page at a cursor; null is the newest page. */
  onPage: (before: string | null) => void
  /** Rows per page; without it the size is fixed. */
  limit?: number
  onLimit?: (limit: number) => void
}

/** Pagination by cursor, newest first. Back returns to the previous page. */
export function CursorPager({ rows, total, isTotalCapped, nextCursor, onPage, limit, onLimit }: CursorPagerProps) {
  const t = useMessages(pagerMessages)
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
