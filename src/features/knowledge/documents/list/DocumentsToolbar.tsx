import { Button, NativeSelect } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { EXPORT_PERMISSION } from '#contract/permissions.ts'
import { Can } from '../../../../client/Can.tsx'
import { ColumnMenu } from '../../../../components/data/ColumnMenu.tsx'
import { SearchField } from '../../../../components/forms/SearchField.tsx'
import { RefreshControl } from '../../../../components/data/RefreshControl.tsx'
import { RelativeTime } from '../../../../components/data/RelativeTime.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { documentMessages } from '../messages.ts'
import { DocumentFilterMenu } from './DocumentFilterMenu.tsx'
import type { DocumentListState } from './useDocumentList.ts'

/** What a platform filters by ("2.6" of the upstream facts); the interface has no filter but the keyword. */
const DOCUMENT_STATUS_FILTERS = ['available', 'queuing', 'indexing', 'paused', 'error', 'disabled', 'archived']

export interface DocumentsToolbarProps {
  documents: DocumentListState
  onExport: () => void
}

/** Above the list of documents: what it is filtered by, its export, its age and its columns. */
export function DocumentsToolbar({ documents, onExport }: DocumentsToolbarProps) {
  const t = useMessages(documentMessages)
  const { params, keyword, status, total, exportable, columns } = documents
  const { refetch, isFetching, updatedAt: dataUpdatedAt } = documents
  return (
    <>
      <SearchField
        label={t('search')}
        value={keyword ?? ''}
        onSearch={(words) => params.set({ keyword: words })}
        hasShortcut
      />
      <NativeSelect
        aria-label={t('statusFilter')}
        value={status ?? ''}
        onChange={(event) => params.set({ status: event.currentTarget.value })}
        data={[
          { value: '', label: t('anyStatus') },
          ...(status && !DOCUMENT_STATUS_FILTERS.includes(status) ? [status] : []),
          ...DOCUMENT_STATUS_FILTERS,
        ]}
      />
      <DocumentFilterMenu documents={documents} />
      <Can entry={EXPORT_PERMISSION}>
        <Button
          variant="default"
          leftSection={<IconDownload size={14} />}
          onClick={onExport}
          disabled={total === 0 || exportable === undefined}
        >
          {t('export')}
        </Button>
      </Can>
      <RefreshControl isBusy={isFetching} onRefresh={refetch}>
        {dataUpdatedAt > 0
          ? t.rich('listedByPlatform', {
              since: () => <RelativeTime at={new Date(dataUpdatedAt).toISOString()} />,
            })
          : null}
      </RefreshControl>
      <ColumnMenu columns={columns} />
    </>
  )
}
