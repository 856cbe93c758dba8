import { Button, Menu } from '@mantine/core'
import { IconClockShield, IconDownload } from '@tabler/icons-react'
import { Link, useLocation } from 'react-router'
import { paths } from '#domain/paths.ts'
import { useWorkspace } from '../../client/useWorkspace.ts'
import { useSearchParamState } from '../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { CALL_FILTER_NAMES, readCallFilters, toFilterParams } from '../runs/callFilters/callFilterParams.ts'
import { toCallQuery } from '../runs/callList/callListParams.ts'
import { CallListView } from '../runs/callList/CallListView.tsx'
import { CallPane } from './CallPane.tsx'
import { IdLookupNote } from './IdLookupNote.tsx'
import { ledgerMessages } from './messages.ts'
import type { CallQuery } from '#contract/console/callQuery.ts'
import { CALL_FORMATS } from '#contract/console/calls.ts'
import { Can } from '../../client/Can.tsx'
import { EXPORT_PERMISSION } from '#contract/permissions.ts'

/**
 * `/ledger`: the list of calls, by default of all of them. A call opens next to it; an id in the search field is
 * explained.
 */
export function LedgerPage() {
  const t = useMessages(ledgerMessages)
  const { workspace } = useWorkspace()
  const { search: address } = useLocation()
  const list = useSearchParamState()
  const filters = readCallFilters(CALL_FILTER_NAMES, list.get)
  const current = list.get('call')
  const linkTo = ({ id }: { id: string }) => {
    const to = new URLSearchParams(address)
    for (const name of ['tab', 'frame', 'node', 'source']) to.delete(name)
    to.set('call', id)
    return `?${to.toString()}`
  }
  return (
    <CallListView
      preset="calls"
      actions={
        workspace ? (
          <>
            <Button
              variant="default"
              leftSection={<IconClockShield size={14} />}
              component={Link}
              to={paths.retention({ workspace: workspace.id })}
            >
              {t('retention')}
            </Button>
            <LedgerExportMenu query={toCallQuery(filters, workspace.id)} />
          </>
        ) : null
      }
      header={
        filters.q ? (
          <IdLookupNote text={filters.q} onFilter={(id) => list.set(toFilterParams({ q: null, resource: id }))} />
        ) : null
      }
      linkTo={linkTo}
      current={current}
      detail={<CallPane call_id={current ?? null} onClose={() => list.set({ call: null, tab: null, frame: null })} />}
      emptyState={<EmptyState title={t('emptyTitle')}>{t('emptyText')}</EmptyState>}
    />
  )
}

/** What is filtered, as a file that the server writes as it reads. */
function LedgerExportMenu({ query }: { query: CallQuery }) {
  const t = useMessages(ledgerMessages)
  const given = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]))
  return (
    <Can entry={EXPORT_PERMISSION}>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" leftSection={<IconDownload size={14} />}>
            {t('export')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t('exportText')}</Menu.Label>
          {CALL_FORMATS.map((format) => (
            <Menu.Item
              key={format}
              component="a"
              href={`/api/calls/export?${new URLSearchParams([...given, ['format', format]]).toString()}`}
              download
            >
              {t(format)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Can>
  )
}
