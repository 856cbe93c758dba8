import { Button, NativeSelect, Progress } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import type { Key } from '#contract/console/workspaces.ts'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import { Dialog } from '../../../../components/overlays/Dialog.tsx'
import fields from '../../../../components/forms/Fields.module.css'
import { ProblemAlert } from '../../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { formatMegabytes } from '../forms/documentFile.ts'
import { documentMessages } from '../messages.ts'
import { type DocumentExportFormat, DOCUMENT_EXPORT_FORMATS } from './exportFormat.ts'
import type { DocumentFilter, ExportRequest } from './exportRows.ts'
import { useDocumentExport } from './useDocumentExport.ts'

export interface ExportDocumentsProps {
  dataset_id: string
  dataset_name: string
  /** Some documents, or null for all that the filter finds. */
  documents: readonly DocumentRecord[] | null
  filter: DocumentFilter
  total: number
  workspace: string
  knowledge: Key
  onClose: () => void
}

/** Documents and their chunks as a file, written while they are read. */
export function ExportDocuments(props: ExportDocumentsProps) {
  const { dataset_id, dataset_name, documents, filter, total, workspace, knowledge, onClose } = props
  const t = useMessages(documentMessages)
  const [format, setFormat] = useState<DocumentExportFormat>('jsonl')
  const [depth, setDepth] = useState<ExportRequest['depth']>('segments')
  const { progress, run, cancel } = useDocumentExport()
  const { state, count, bytes } = progress
  const isRunning = state === 'running'
  const all = documents?.length ?? total
  const document = documents?.length === 1 ? documents[0] : undefined
  const name = (document?.name ?? dataset_name).replace(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 80)
  const start = () => void run({ dataset_id, workspace, knowledge, documents, filter, depth }, format, name)
  const isFromPlatform = knowledge.offers.includes('listSegments')
  return (
    <Dialog
      isDirty={isRunning}
      onClose={onClose}
      title={document ? t('exportOne', { name: document.name ?? document.id.slice(0, 8) }) : t('exportAll', { n: all })}
    >
      <div className={fields.form}>
        <div className={fields.row}>
          <NativeSelect
            label={t('format')}
            value={format}
            disabled={isRunning}
            onChange={(event) =>
              setFormat(DOCUMENT_EXPORT_FORMATS.find((one) => one === event.currentTarget.value) ?? 'jsonl')
            }
            data={DOCUMENT_EXPORT_FORMATS.map((value) => ({ value, label: t(`formats.${value}`) }))}
          />
          <NativeSelect
            label={t('depth')}
            value={depth}
            disabled={isRunning}
            onChange={(event) => setDepth(event.currentTarget.value as ExportRequest['depth'])}
            data={(['documents', 'segments', 'child_chunks'] as const).map((value) => ({
              value,
              label: t(`depths.${value}`),
            }))}
          />
        </div>
        {depth === 'documents' ? null : (
          <p className={fields.note}>{t(isFromPlatform ? 'fromPlatform' : 'fromLedger')}</p>
        )}
        {format === 'csv' ? <p className={fields.note}>{t('csvSafe')}</p> : null}
        {state === 'idle' ? null : (
          <div role="status">
            <Progress value={all > 0 ? (count.document / all) * 100 : 0} aria-label={t('export')} mb={6} />
            <p className={fields.note}>
              {t(`exportState.${state}`)}{' '}
              {t('exportCount', {
                documents: count.document,
                all,
                segments: count.segment,
                children: count.child_chunk,
                size: formatMegabytes(bytes),
              })}
            </p>
          </div>
        )}
        {progress.problem ? <ProblemAlert problem={progress.problem} action={t('exportWhat')} /> : null}
        <div className={fields.buttons}>
          {isRunning ? (
            <Button variant="default" onClick={cancel}>
              {t('exportCancel')}
            </Button>
          ) : (
            <Button leftSection={<IconDownload size={14} />} onClick={start}>
              {t('export')}
            </Button>
          )}
          <Button variant="default" onClick={onClose}>
            {t('close')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
