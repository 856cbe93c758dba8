import { Button, NativeSelect, Progress } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState, useEffect, useRef } from 'react'
import type { Key } from '#contract/console/workspaces.ts'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import { Dialog } from '../../../../components/overlays/Dialog.tsx'
import fields from '../../../../components/forms/Fields.module.css'
import { ProblemAlert } from '../../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { formatMegabytes } from '../forms/documentFile.ts'
import { documentMessages } from '../messages.ts'
import {
  type DocumentExportFormat,
  DOCUMENT_EXPORT_FORMATS,
  toExportHeader,
  type ExportRow,
  formatExportRow,
  type DocumentFilter,
  type ExportRequest,
  readExportRows,
} from './exportRows.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { openFileSink } from '../../../../components/hooks/fileSink.ts'

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

interface ExportProgress {
  state: 'idle' | 'running' | 'done' | 'cancelled' | 'failed'
  count: Record<ExportRow['kind'], number>
  bytes: number
  problem: Problem | null
}
const IDLE_PROGRESS: ExportProgress = {
  state: 'idle',
  count: { document: 0, segment: 0, child_chunk: 0 },
  bytes: 0,
  problem: null,
}
const MIME_TYPE_BY_FORMAT = { jsonl: 'application/jsonl', csv: 'text/csv', md: 'text/markdown' }
/** Interval of progress updates in milliseconds. */
const PROGRESS_INTERVAL_MS = 100

/** Writes an export to a file while it is read, with its progress; it can be cancelled at any row. */
function useDocumentExport() {
  const [progress, setProgress] = useState(IDLE_PROGRESS)
  const abortController = useRef<AbortController | null>(null)
  useEffect(() => () => abortController.current?.abort(), [])

  const run = async (exportRequest: ExportRequest, format: DocumentExportFormat, name: string): Promise<void> => {
    const currentController = new AbortController()
    const fileSink = await openFileSink(`${name}.${format}`, MIME_TYPE_BY_FORMAT[format]).catch(() => null)
    if (!fileSink) return
    abortController.current = currentController
    const count = { ...IDLE_PROGRESS.count }
    let bytes = 0
    let lastProgressAt = 0
    const reportProgress = (state: ExportProgress['state'], problem: Problem | null = null) =>
      setProgress({ state, count: { ...count }, bytes, problem })
    reportProgress('running')
    try {
      await fileSink.write(toExportHeader(format))
      for await (const row of readExportRows(exportRequest, currentController.signal)) {
        currentController.signal.throwIfAborted()
        const text = formatExportRow(format, row)
        await fileSink.write(text)
        count[row.kind]++
        bytes += text.length
        if (performance.now() - lastProgressAt < PROGRESS_INTERVAL_MS) continue
        lastProgressAt = performance.now()
        reportProgress('running')
      }
      await fileSink.close()
      reportProgress('done')
    } catch (error) {
      await fileSink.abort().catch(() => undefined)
      if (currentController.signal.aborted) reportProgress('cancelled')
      else
        reportProgress(
          'failed',
          error instanceof ProblemError ? error.problem : { kind: 'fault', message: String(error) },
        )
    }
  }
  return { progress, run, cancel: () => abortController.current?.abort() }
}
