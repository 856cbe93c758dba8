import type { ReactNode } from 'react'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { Page } from '../../components/layout/Page.tsx'

/** In place of a page of admins, for others: who may see it. */
export const AdminOnlyPage = (props: { title: string; breadcrumbs?: ReactNode; children: string }) => (
  <Page title={props.title} breadcrumbs={props.breadcrumbs}>
    <title>{`${props.title} · Loupe`}</title>
    <EmptyState title={props.title}>{props.children}</EmptyState>
  </Page>
)
