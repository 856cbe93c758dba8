import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatCount } from '#domain/metricFormat.ts'
import { RefreshControl } from '../data/RefreshControl.tsx'
import { RelativeTime } from '../data/RelativeTime.tsx'
import { SearchField } from '../forms/SearchField.tsx'
import { useSearchParamState } from '../hooks/useSearchParamState.ts'
import { Page } from './Page.tsx'
import classes from './Page.module.css'
import { ResourceList, type ResourceListProps } from './ResourceList.tsx'

export interface ResourceListPageProps<Row> extends Omit<ResourceListProps<Row>, 'label' | 'read'> {
  title: string
  breadcrumbs?: ReactNode
  /** After the title; of a numbered list the total without it. */
  count?: number | undefined
  read: ResourceListProps<Row>['read'] & Pick<UseQueryResult, 'dataUpdatedAt' | 'isFetching'>
  /** In the header; not where the list is empty, since `empty` has the first step. */
  actions?: ReactNode
  /** A search field for a parameter of the URL. */
  search?: { label: string; param: string; hasShortcut?: boolean }
  /** After the search field. */
  filters?: ReactNode
  /** Shows Refresh: `(values) => t.rich('refreshed', values)`. */
  refreshedText?: (values: { since: () => ReactNode }) => ReactNode
  /** `ColumnMenu`. */
  columnMenu?: ReactNode
  /** Between the toolbar and the list. */
  note?: ReactNode
  /** The dialogs and panes of the list. */
  children?: ReactNode
}

/**
 * The page of a list of resources: header, toolbar with filters in the URL, and the list. A list that has nothing at all
 * has no toolbar.
 */
export function ResourceListPage<Row>(props: ResourceListPageProps<Row>) {
  const {
    count = props.page?.total ?? 0,
    title,
    breadcrumbs,
    actions,
    search,
    filters,
    refreshedText,
    columnMenu,
    note,
    children,
    ...rest
  } = props
  const { read, rows, page, isFiltered = false } = rest
  const { get, set } = useSearchParamState()
  const isEmpty = rows?.length === 0 && !isFiltered && (page?.page ?? 1) === 1
  const hasToolbar = !isEmpty && Boolean(search ?? filters ?? refreshedText ?? columnMenu)
  return (
    <Page
      title={title}
      breadcrumbs={breadcrumbs}
      titleSuffix={count > 0 ? <span className={classes.count}>{formatCount(count)}</span> : null}
      actions={isEmpty ? null : actions}
      toolbar={
        hasToolbar ? (
          <>
            {search ? (
              <SearchField
                label={search.label}
                value={get(search.param) ?? ''}
                onSearch={(text) => set({ [search.param]: text }, { replace: true })}
                {...(search.hasShortcut ? { hasShortcut: true } : {})}
              />
            ) : null}
            {filters}
            {refreshedText ? (
              <RefreshControl isBusy={read.isFetching} onRefresh={() => void read.refetch()}>
                {read.dataUpdatedAt > 0
                  ? refreshedText({ since: () => <RelativeTime at={new Date(read.dataUpdatedAt).toISOString()} /> })
                  : null}
              </RefreshControl>
            ) : null}
            {columnMenu}
          </>
        ) : undefined
      }
    >
      <title>{`${title} · Loupe`}</title>
      {note}
      <ResourceList label={title} {...rest} />
      {children}
    </Page>
  )
}
