import { NativeSelect } from '@mantine/core'
import { pagerMessages } from './pagerMessages.ts'
import classes from './Pager.module.css'
import { useMessages } from '../i18n/useMessages.ts'

const PAGE_SIZES_ROWS = [10, 20, 50, 100]

/** Selects the rows per page. A size from a link is added to the options. */
export function PageSizeSelect({ limit, onLimit }: { limit: number; onLimit: (limit: number) => void }) {
  const t = useMessages(pagerMessages)
  return (
    <NativeSelect
      className={classes.size}
      aria-label={t('pageSize')}
      value={String(limit)}
      onChange={(event) => onLimit(Number(event.currentTarget.value))}
      data={[...new Set([...PAGE_SIZES_ROWS, limit])]
        .sort((one, other) => one - other)
        .map((size) => ({ value: String(size), label: t('rowsPerPage', { limit: size }) }))}
    />
  )
}
