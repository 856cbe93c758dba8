import { ActionIcon } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { pagerMessages } from './pagerMessages.ts'
import { PageSizeSelect } from './PageSizeSelect.tsx'
import classes from './Pager.module.css'
import { useMessages } from '../i18n/useMessages.ts'

export interface PagerProps {
  page: number
  limit: number
  /** The total number of rows. The pager counts by this, never by `has_more`. */
  total: number
  /** There are more rows than were counted. */
  hasMore?: boolean | undefined
  onPage: (page: number) => void
  /** Without it the page size is fixed. */
  onLimit?: (limit: number) => void
}

/** Pagination by page number: the range of rows, previous and next page, page size. */
export function Pager({ page, limit, total, hasMore = false, onPage, onLimit }: PagerProps) {
  const t = useMessages(pagerMessages)
  const last = Math.max(1, Math.ceil(total / limit))
  const from = total === 0 ? 0 : (page - 1) * limit + 1
  const to = Math.min(total, page * limit)
  // A link may name a page that no longer exists.
  const rangeLabel =
    page > last ? t('noSuchPage', { page, last }) : t(hasMore ? 'rowsOfMore' : 'rows', { from, to, total })
  return (
    <nav className={classes.pager} aria-label={rangeLabel}>
      <span>{rangeLabel}</span>
      <ActionIcon aria-label={t('previous')} disabled={page <= 1} onClick={() => onPage(Math.min(last, page - 1))}>
        <IconChevronLeft size={16} />
      </ActionIcon>
      <ActionIcon aria-label={t('next')} disabled={page >= last} onClick={() => onPage(page + 1)}>
        <IconChevronRight size={16} />
      </ActionIcon>
      {onLimit ? <PageSizeSelect limit={limit} onLimit={onLimit} /> : null}
    </nav>
  )
}
