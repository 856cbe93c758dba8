import { ActionIcon, NativeSelect } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { uiWords } from './messages.ts'
import classes from './Pager.module.css'
import { useWords } from './words.ts'

export interface PagerProps {
  page: number
  limit: number
  /** All rows that there are. The pager counts by this, never by `has_more`. */
  total: number
  onPage: (page: number) => void
  /** Without it the size is fixed. */
  onLimit?: (limit: number) => void
}

const SIZES = [10, 20, 50, 100]

/** Under a list: which rows these are, the pages before and after, how many on a page. */
export function Pager({ page, limit, total, onPage, onLimit }: PagerProps) {
  const t = useWords(uiWords)
  const last = Math.max(1, Math.ceil(total / limit))
  const from = total === 0 ? 0 : (page - 1) * limit + 1
  const to = Math.min(total, page * limit)
  // A link may name a page that is no longer there.
  const where = page > last ? t('noSuchPage', { page, last }) : t('rows', { from, to, total })
  return (
    <nav className={classes.pager} aria-label={where}>
      <span>{where}</span>
      <ActionIcon aria-label={t('previous')} disabled={page <= 1} onClick={() => onPage(Math.min(last, page - 1))}>
        <IconChevronLeft size={16} />
      </ActionIcon>
      <ActionIcon aria-label={t('next')} disabled={page >= last} onClick={() => onPage(page + 1)}>
        <IconChevronRight size={16} />
      </ActionIcon>
      {onLimit ? (
        <NativeSelect
          className={classes.size}
          aria-label={t('pageSize')}
          value={String(limit)}
          onChange={(event) => onLimit(Number(event.currentTarget.value))}
          data={[...new Set([...SIZES, limit])]
            .sort((one, other) => one - other)
            .map((size) => ({ value: String(size), label: t('aPage', { limit: size }) }))}
        />
      ) : null}
    </nav>
  )
}
