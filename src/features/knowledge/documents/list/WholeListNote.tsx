import { Button, Progress } from '@mantine/core'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import classes from '../Documents.module.css'
import { documentMessages } from '../messages.ts'
import { NO_DOCUMENT_FILTERS } from './DocumentTable.tsx'
import { MAX_WHOLE_LIST_DOCUMENTS } from './readAllDocuments.ts'
import type { DocumentListState } from './useDocumentList.ts'

/** A list that was read in one request has cost nothing worth a line. */
const MIN_NOTED_REQUESTS = 2

/** Says what sorting and filtering here has cost, since the platform does neither; how far it is while it reads. */
export function WholeListNote({ documents }: { documents: DocumentListState }) {
  const t = useMessages(documentMessages)
  const { whole, params, filters, retrieved } = documents
  if (!whole) return null
  const { data, progress } = whole
  const cancel = () => params.set({ sort: null, ...NO_DOCUMENT_FILTERS })
  if (progress && !data && !whole.error)
    return (
      <div className={classes.notice} role="status">
        <span>{t('readingAll', { read: progress.read, total: progress.total })}</span>
        <Progress
          className={classes.readingAll}
          value={(progress.read / Math.max(1, progress.total)) * 100}
          aria-hidden
        />
        <Button variant="default" size="compact-xs" onClick={cancel}>
          {t('cancelReading')}
        </Button>
      </div>
    )
  if (!data) return null
  const isCut = data.total > MAX_WHOLE_LIST_DOCUMENTS
  return (
    <>
      {data.requests >= MIN_NOTED_REQUESTS || isCut ? (
        <p className={classes.notice} role="status">
          {t(isCut ? 'readPart' : 'readAll', {
            n: data.documents.length,
            total: data.total,
            requests: data.requests,
            seconds: (data.durationMs / 1000).toFixed(1),
          })}
        </p>
      ) : null}
      {filters.unretrievedDays !== null && retrieved.documents ? (
        <p className={classes.notice} role="status">
          {t(retrieved.isComplete ? 'unretrievedNote' : 'unretrievedPart', {
            questions: retrieved.questions,
            days: filters.unretrievedDays,
          })}
        </p>
      ) : null}
    </>
  )
}
