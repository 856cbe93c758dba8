import { Button, NativeSelect, Checkbox, Popover, TextInput } from '@mantine/core'
import { IconDownload, IconFilter, IconX } from '@tabler/icons-react'
import { EXPORT_PERMISSION } from '#contract/permissions.ts'
import { Can } from '../../../../client/Can.tsx'
import { ColumnMenu } from '../../../../components/data/ColumnMenu.tsx'
import { SearchField } from '../../../../components/forms/SearchField.tsx'
import { RefreshControl } from '../../../../components/data/RefreshControl.tsx'
import { RelativeTime } from '../../../../components/data/RelativeTime.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { documentMessages } from '../messages.ts'
import type { DocumentListState } from './useDocumentList.ts'
import { useState } from 'react'
import fields from '../../../../components/forms/Fields.module.css'
import { listMetadataValues } from './documentFilters.ts'
import { DISPLAY_STATUSES } from '#contract/statuses.ts'

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
          ...(status && !DISPLAY_STATUSES.some((known) => known === status) ? [status] : []),
          ...DISPLAY_STATUSES,
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

/** Days without a question that found the document. */
const UNRETRIEVED_DAYS = [7, 30, 90]

/** Filters that the platform does not have, over the whole list; each is a chip that removes it. */
function DocumentFilterMenu({ documents }: { documents: DocumentListState }) {
  const t = useMessages(documentMessages)
  const [isOpen, setOpen] = useState(false)
  const { params, filters } = documents
  const { metadata, hasDraft, hasLosses, unretrievedDays } = filters
  return (
    <>
      <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus returnFocus>
        <Popover.Target>
          <Button variant="default" leftSection={<IconFilter size={14} />} onClick={() => setOpen(!isOpen)}>
            {t('filter')}
          </Button>
        </Popover.Target>
        <Popover.Dropdown>
          <div className={fields.form}>
            <MetadataFilter documents={documents} />
            <NativeSelect
              label={t('unretrieved')}
              description={t('unretrievedHelp')}
              value={unretrievedDays ?? ''}
              onChange={(event) => params.set({ unretrieved: event.currentTarget.value })}
              data={[
                { value: '', label: t('anyTime') },
                ...UNRETRIEVED_DAYS.map((days) => ({ value: String(days), label: t('unretrievedDays', { days }) })),
              ]}
            />
            <Checkbox
              label={t('hasDraft')}
              checked={hasDraft}
              onChange={(event) => params.set({ drafts: event.currentTarget.checked ? 1 : null })}
            />
            <Checkbox
              label={t('hasLosses')}
              checked={hasLosses}
              onChange={(event) => params.set({ losses: event.currentTarget.checked ? 1 : null })}
            />
          </div>
        </Popover.Dropdown>
      </Popover>
      {metadata ? (
        <FilterChip
          label={`${metadata.field}: ${metadata.value || t('anyValue')}`}
          onRemove={() => params.set({ metadata: null })}
        />
      ) : null}
      {unretrievedDays === null ? null : (
        <FilterChip
          label={t('unretrievedDays', { days: unretrievedDays })}
          onRemove={() => params.set({ unretrieved: null })}
        />
      )}
      {hasLosses ? <FilterChip label={t('hasLosses')} onRemove={() => params.set({ losses: null })} /> : null}
      {hasDraft ? <FilterChip label={t('hasDraft')} onRemove={() => params.set({ drafts: null })} /> : null}
    </>
  )
}

function FilterChip({ label, onRemove }: { label: string; onRemove: () => void }) {
  const t = useMessages(documentMessages)
  return (
    <Button variant="light" rightSection={<IconX size={14} />} onClick={onRemove} title={t('removeFilter', { label })}>
      {label}
    </Button>
  )
}

/** By a field of the metadata and a part of its value; only fields that the listed documents have. */
function MetadataFilter({ documents }: { documents: DocumentListState }) {
  const t = useMessages(documentMessages)
  const { params, filters, whole, page } = documents
  const known = whole?.data?.documents ?? page?.data ?? []
  const names = new Set(known.flatMap((document) => listMetadataValues(document).map(({ name }) => name)))
  if (filters.metadata) names.add(filters.metadata.field)
  const field = filters.metadata?.field ?? ''
  // The URL follows a moment later, and the field must not wait for it.
  const [typed, setTyped] = useState(filters.metadata?.value ?? '')
  const set = (name: string, value: string) =>
    params.set({ metadata: name ? `${name}:${value}` : null }, { replace: true })
  return (
    <div className={fields.row}>
      <NativeSelect
        label={t('metadataField')}
        value={field}
        disabled={names.size === 0}
        description={names.size === 0 ? t('noMetadata') : undefined}
        onChange={(event) => {
          setTyped('')
          set(event.currentTarget.value, '')
        }}
        data={[{ value: '', label: t('anyMetadata') }, ...[...names].sort()]}
      />
      {field ? (
        <TextInput
          label={t('metadataValue')}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            set(field, event.currentTarget.value)
          }}
        />
      ) : null}
    </div>
  )
}
