import { NativeSelect, Text } from '@mantine/core'
import { Link } from 'react-router'
import { type AuditEvent, peopleEndpoints } from '#contract/console/people.ts'
import { paths } from '#domain/paths.ts'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { IdChip } from '../../../components/data/IdChip.tsx'
import { LoadMore } from '../../../components/data/LoadMore.tsx'
import { ResourceListPage } from '../../../components/layout/ResourceListPage.tsx'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { AdminOnlyPage } from '../AdminOnlyPage.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { useCursorPages } from '../../../client/cursorReads.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { peopleMessages } from '../people/messages.ts'
import { asRecord } from '#domain/stream/untrustedJson.ts'

const AUDIT_ACTION_PREFIXES = [
  'session.',
  'account.',
  'person.',
  'token.',
  'batches.',
  'workspace.',
  'key.',
  'master.',
  'retention.',
  'export.',
]

/** `/people/audit`: the audit log. */
export function AuditPage() {
  const t = useMessages(peopleMessages)
  const isAdmin = usePermission()(peopleEndpoints.listAudit)
  const filters = useSearchParamState()
  const action = filters.get('action') ?? ''
  const person = filters.get('person') ?? ''
  const pages = useCursorPages(
    peopleEndpoints.listAudit,
    { query: { ...(action ? { action } : {}), ...(person ? { person } : {}) } },
    { enabled: isAdmin },
  )
  const isLoadMoreRefused = pages.isFetchNextPageError
  // Every entry is complete: what is absent does not apply to it.
  const doesNotApply = <span aria-label={t('doesNotApply')}>–</span>
  const breadcrumbs = (
    <>
      <Link to={paths.people()}>{t('title')}</Link>
      <span>/</span>
    </>
  )
  if (!isAdmin)
    return (
      <AdminOnlyPage title={t('audit')} breadcrumbs={breadcrumbs}>
        {t('auditAdminOnly')}
      </AdminOnlyPage>
    )
  return (
    <ResourceListPage<AuditEvent>
      title={t('audit')}
      breadcrumbs={breadcrumbs}
      read={{ ...pages, error: isLoadMoreRefused ? null : pages.error }}
      action={t('readAudit')}
      isFiltered={action !== '' || person !== ''}
      search={{ label: t('find'), param: 'person' }}
      filters={
        <NativeSelect
          aria-label={t('action')}
          value={action}
          onChange={(event) => filters.set({ action: event.currentTarget.value }, { replace: true })}
          data={[
            { value: '', label: t('anyAction') },
            ...AUDIT_ACTION_PREFIXES.map((one) => ({ value: one, label: `${one}*` })),
          ]}
        />
      }
      empty={<EmptyState title={t('auditEmpty')} />}
      noMatch={<EmptyState title={t('auditEmpty')}>{t('auditEmptyText')}</EmptyState>}
      rows={pages.data?.pages.flatMap(({ data }) => data)}
      getKey={({ seq }) => String(seq)}
      columns={[
        { header: t('number'), isNumeric: true, cell: ({ seq }) => seq },
        { header: t('when'), cell: ({ at }) => <RelativeTime at={at} /> },
        { header: t('person'), cell: (event) => event.person ?? doesNotApply },
        { header: t('action'), isMono: true, cell: (event) => event.action },
        { header: t('what'), cell: ({ label, about }) => label ?? (about ? <IdChip id={about} /> : doesNotApply) },
        {
          header: t('detail'),
          grows: true,
          cell: (event) => {
            const text = formatAuditDetail(event.detail)
            if (text === null) return doesNotApply
            return (
              <Text span inherit display="block" truncate maw={460} title={JSON.stringify(event.detail)}>
                {text}
              </Text>
            )
          },
        },
        { header: t('from'), isMono: true, cell: ({ address }) => address ?? doesNotApply },
      ]}
      footer={
        <>
          <LoadMore
            hasMore={pages.hasNextPage}
            isBusy={pages.isFetchingNextPage}
            onLoadMore={() => void pages.fetchNextPage()}
            problem={isLoadMoreRefused ? pages.error.problem : null}
            action={t('readAudit')}
          />
          <Text mx="lg" my="md" c="dimmed" fz="sm">
            {t('chain')}
          </Text>
        </>
      }
    />
  )
}

/** The detail of an audit entry as one line of text; null without one. The full record is available next to it. */
export function formatAuditDetail(detail: unknown): string | null {
  const record = asRecord(detail)
  if (!record) return detail === null || detail === undefined ? null : String(detail as string)
  const { narrowed, grants, ...rest } = record
  const parts = Object.entries(rest).map(([name, value]) => `${name.replaceAll('_', ' ')}: ${formatValue(value)}`)
  if (narrowed === false) parts.push('access: all workspaces')
  else if (Array.isArray(grants)) parts.push(`access: ${grants.map(formatGrant).join(', ') || 'nothing'}`)
  return parts.length === 0 ? null : parts.join('; ')
}

/** Entries of earlier releases have only ids. */
function formatGrant(grant: unknown): string {
  const { workspace, workspace_name, key, key_label } = asRecord(grant) ?? {}
  const workspaceText = nameOr(workspace_name, workspace)
  return key === null || key === undefined ? `all of ${workspaceText}` : `${nameOr(key_label, key)} in ${workspaceText}`
}

const nameOr = (name: unknown, id: unknown): string => (typeof name === 'string' ? name : String(id).slice(0, 8))

function formatValue(value: unknown): string {
  if (value === null) return 'none'
  const record = asRecord(value)
  if (record)
    return Object.entries(record)
      .map(([name, one]) => `${name.replaceAll('_', ' ')} ${formatValue(one)}`)
      .join(', ')
  return Array.isArray(value) ? value.map(formatValue).join(', ') : String(value as string)
}
