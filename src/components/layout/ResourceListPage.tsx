import type { ReactNode } from 'react'
import { formatCount } from '#domain/metricFormat.ts'
import { Page } from './Page.tsx'
import classes from './Page.module.css'
import { isUnused, ListBody, renderListToolbar, type ResourceListProps } from './ResourceList.tsx'

export interface ResourceListPageProps<Row> extends Omit<ResourceListProps<Row>, 'label'> {
  title: string
  breadcrumbs?: ReactNode
  /** After the title; of a numbered list the total without it. */
  count?: number | undefined
  /** In the header; not where the list is empty, since `empty` has the first step. */
  actions?: ReactNode
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
  const { title, breadcrumbs, count = props.page?.total ?? 0, actions, note, children } = props
  const list = { ...props, label: title }
  return (
    <Page
      title={title}
      breadcrumbs={breadcrumbs}
      titleSuffix={count > 0 ? <span className={classes.count}>{formatCount(count)}</span> : null}
      actions={isUnused(list) ? null : actions}
      toolbar={renderListToolbar(list)}
    >
      <title>{`${title} · Loupe`}</title>
      {note}
      <ListBody {...list} />
      {children}
    </Page>
  )
}
