import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { Pager } from '../data/Pager.tsx'
import { pagerMessages } from '../data/pagerMessages.ts'
import { RefreshControl } from '../data/RefreshControl.tsx'
import { RelativeTime } from '../data/RelativeTime.tsx'
import { Table, type TableProps } from '../data/Table.tsx'
import { SearchField } from '../forms/SearchField.tsx'
import { useSearchParamState } from '../hooks/useSearchParamState.ts'
import { useMessages } from '../i18n/useMessages.ts'
import { EmptyState } from './EmptyState.tsx'
import { ReadBoundary, type ReadBoundaryProps } from './ReadBoundary.tsx'

export interface ListToolbarProps {
  /** Of the rows; its reply is not used. */
  read: ReadBoundaryProps<unknown>['read'] & { dataUpdatedAt: number }
  /** A search field for a parameter of the URL. */
  search?: { label: string; param: string; hasShortcut?: boolean }
  /** After the search field: filters, or what is done with the list. */
  filters?: ReactNode
  /** Shows Refresh: `(values) => t.rich('refreshed', values)`. */
  refreshedText?: (values: { since: () => ReactNode }) => ReactNode
  /** `ColumnMenu`. */
  columnMenu?: ReactNode
}

export interface ResourceListProps<Row> extends TableProps<Row>, ListToolbarProps {
  /** What is read, for a refusal: "list the batches". */
  action: string
  /** Replaces the table without rows; `noMatch` if a filter excludes all. */
  empty: ReactNode
  noMatch?: ReactNode
  isFiltered?: boolean
  /** Above the table: what can be done with the selected rows, or a chart of the rows. */
  aboveTable?: ReactNode
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

/** A table with its toolbar, the states of its read and its pager, for a pane. */
export function ResourceList<Row>(props: ResourceListProps<Row>) {
  const toolbar = renderListToolbar(props)
  return (
    <>
      {toolbar ? (
        <Group flex="none" gap="sm" px="lg" py="sm">
          {toolbar}
        </Group>
      ) : null}
      <ListBody {...props} />
    </>
  )
}

/** The list without its toolbar. */
export function ListBody<Row>(props: ResourceListProps<Row>) {
  const { read, action, empty, noMatch, isFiltered = false, aboveTable, page, hasPageSize = false, footer } = props
  const { problemActions, ...table } = props
  const t = useMessages(pagerMessages)
  const { set } = useSearchParamState()
  const hasPager = page && page.total > 0 && (hasPageSize || page.total > page.limit || page.page > 1)
  return (
    <ReadBoundary
      read={{ ...read, data: props.rows }}
      action={action}
      loading={
        <>
          {aboveTable}
          <Table {...table} rows={undefined} />
        </>
      }
      isEmpty={(rows) => rows.length === 0 && !page?.total}
      empty={isFiltered ? noMatch : empty}
      problemActions={problemActions}
      isInset
    >
      {(rows) => (
        <>
          {aboveTable}
          {rows.length > 0 ? (
            <Table {...table} />
          ) : (
            <EmptyState
              title={t('emptyPage')}
              actions={
                <Button variant="default" onClick={() => set({ page: null })}>
                  {t('firstPage')}
                </Button>
              }
            />
          )}
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

/** Nothing at all is listed, and no filter is the reason. */
export const isUnused = <Row,>({ rows, page, isFiltered }: ResourceListProps<Row>): boolean =>
  rows?.length === 0 && !page?.total && !isFiltered

/** Null where there is nothing to search or to refresh. */
export function renderListToolbar<Row>(props: ResourceListProps<Row>): ReactNode {
  const { search, filters, refreshedText, columnMenu } = props
  return !isUnused(props) && (search ?? filters ?? refreshedText ?? columnMenu) ? <ListToolbar {...props} /> : null
}

function ListToolbar({ read, search, filters, refreshedText, columnMenu }: ListToolbarProps) {
  const { get, set } = useSearchParamState()
  return (
    <>
      {search ? (
        <SearchField
          label={search.label}
          value={get(search.param) ?? ''}
          onSearch={(text) => set({ [search.param]: text })}
          {...(search.hasShortcut ? { hasShortcut: true } : {})}
        />
      ) : null}
      {filters}
      {refreshedText ? (
        <RefreshControl isBusy={read.fetchStatus === 'fetching'} onRefresh={() => void read.refetch()}>
          {read.dataUpdatedAt > 0
            ? refreshedText({ since: () => <RelativeTime at={new Date(read.dataUpdatedAt).toISOString()} /> })
            : null}
        </RefreshControl>
      ) : null}
      {columnMenu}
    </>
  )
}
