import type { ReactNode } from 'react'
import { Pager } from '../data/Pager.tsx'
import { Table, type TableProps } from '../data/Table.tsx'
import { useSearchParamState } from '../hooks/useSearchParamState.ts'
import { ReadBoundary, type ReadBoundaryProps } from './ReadBoundary.tsx'

export interface ResourceListProps<Row> extends TableProps<Row> {
  /** Of the rows; its reply is not looked at. */
  read: ReadBoundaryProps<unknown>['read']
  /** What is read, for a refusal: "list the batches". */
  action: string
  /** In place of the table if there are no rows; `noMatch` if a filter leaves none. */
  empty: ReactNode
  noMatch?: ReactNode
  isFiltered?: boolean
  /** Above the table: what can be done with the selected rows. */
  selectionBar?: ReactNode
  /** The page of a numbered list; `page` in the URL. */
  page?: ResourcePage | undefined
  /** `limit` in the URL chooses the size of a page. */
  hasPageSize?: boolean
  /** Below the table: `LoadMore` of a list by cursor, or a note. */
  footer?: ReactNode
  /** Next to Retry. */
  problemActions?: ReactNode
}

export interface ResourcePage {
  page: number
  limit: number
  total: number
  /** There are more rows than were counted. */
  total_capped?: boolean | undefined
}

/** A table with the states of its read, its selection bar and its pager, for a page or a pane. */
export function ResourceList<Row>(props: ResourceListProps<Row>) {
  const { read, action, empty, noMatch, isFiltered = false, selectionBar, page, hasPageSize = false, footer } = props
  const { problemActions, ...table } = props
  const { set } = useSearchParamState()
  const hasPager = page && page.total > 0 && (hasPageSize || page.total > page.limit || page.page > 1)
  return (
    <ReadBoundary
      read={{ ...read, data: props.rows }}
      action={action}
      loading={<Table {...table} rows={undefined} />}
      isEmpty={(rows) => rows.length === 0}
      empty={isFiltered ? noMatch : empty}
      problemActions={problemActions}
      isInset
    >
      {() => (
        <>
          {selectionBar}
          <Table {...table} />
          {hasPager ? (
            <Pager
              page={page.page}
              limit={page.limit}
              total={page.total}
              hasMore={page.total_capped}
              onPage={(number) => set({ page: number })}
              {...(hasPageSize ? { onLimit: (limit) => set({ limit }) } : {})}
            />
          ) : null}
          {footer}
        </>
      )}
    </ReadBoundary>
  )
}
