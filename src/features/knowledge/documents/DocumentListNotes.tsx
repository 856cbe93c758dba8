import { Box, Button, Flex, Group, Progress, Text } from '@mantine/core'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './Documents.module.css'
import { documentMessages } from './messages.ts'
import { NO_DOCUMENT_FILTERS } from './list/DocumentTable.tsx'
import { MAX_WHOLE_LIST_DOCUMENTS } from './list/readAllDocuments.ts'
import type { DocumentListState } from './list/useDocumentList.ts'
import { Link } from 'react-router'
import type { Problem } from '#contract/problem.ts'
import { resourceEndpoints } from '#contract/console/resources.ts'
import { paths } from '#domain/paths.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useRead } from '../../../client/query.ts'
import { Table } from '../../../components/data/Table.tsx'
import { useDocumentColumns } from './list/useDocumentColumns.tsx'
import { toDocumentRecord, type DocumentRecord } from '#domain/documentRecord.ts'

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
      <Group gap="sm" className={classes.strip} role="status">
        <span>{t('readingAll', { read: progress.read, total: progress.total })}</span>
        <Progress w={160} value={(progress.read / Math.max(1, progress.total)) * 100} aria-hidden />
        <Button variant="default" size="compact-xs" onClick={cancel}>
          {t('cancelReading')}
        </Button>
      </Group>
    )
  if (!data) return null
  const isCut = data.total > MAX_WHOLE_LIST_DOCUMENTS
  return (
    <>
      {data.requests >= MIN_NOTED_REQUESTS || isCut ? (
        <p className={classes.strip} role="status">
          {t(isCut ? 'readPart' : 'readAll', {
            n: data.documents.length,
            total: data.total,
            requests: data.requests,
            seconds: (data.durationMs / 1000).toFixed(1),
          })}
        </p>
      ) : null}
      {filters.unretrievedDays !== null && retrieved.documents ? (
        <p className={classes.strip} role="status">
          {t(retrieved.isComplete ? 'unretrievedNote' : 'unretrievedPart', {
            questions: retrieved.questions,
            days: filters.unretrievedDays,
          })}
        </p>
      ) : null}
    </>
  )
}

interface DocumentListFallbackProps {
  problem: Problem
  dataset_id: string
  workspace: string | undefined
  /** Whether to show what the ledger has, where there are no older rows on the page. */
  isFiltered: boolean
  onRetry: () => void
  onReset: () => void
}

/** The list was refused: the platform's words and the way on, and below what this console saw before. */
export function DocumentListFallback({
  problem,
  dataset_id,
  workspace,
  isFiltered,
  onRetry,
  onReset,
}: DocumentListFallbackProps) {
  const t = useMessages(documentMessages)
  const columns = useDocumentColumns({ dataset_id, workspace, watchedDocuments: [] }).slice(0, 7)
  const resources = useRead(
    resourceEndpoints.listResources,
    { query: { kind: 'document', parent: dataset_id, workspace, limit: 100 } },
    { enabled: isFiltered && workspace !== undefined },
  )
  const records = resources.data?.data.map(({ id, label, payload }) => toDocumentRecord(payload) ?? { id, name: label })
  return (
    <>
      <Box p="lg" maw={820}>
        <ProblemAlert problem={problem} action={t('listWhat')} onRetry={onRetry}>
          {problem.kind === 'invalid' ? (
            <Button variant="default" onClick={onReset}>
              {t('firstPage')}
            </Button>
          ) : null}
          <Button variant="default" component={Link} to={paths.datasets({ workspace: workspace ?? '' })}>
            {t('toDatasets')}
          </Button>
        </ProblemAlert>
      </Box>
      {isFiltered && records && records.length > 0 ? (
        <section>
          <Text component="h2" fw={600} mx="lg" my="sm">
            {t('remembered')}{' '}
            <Text span inherit c="dimmed" fw={400}>
              {t('rememberedCount', { n: resources.data?.total ?? 0 })}
            </Text>
          </Text>
          <Table label={t('documents')} columns={columns} rows={records} getKey={({ id }) => id} />
        </section>
      ) : null}
    </>
  )
}

interface ErrorGroupsProps {
  documents: readonly DocumentRecord[]
  dataset_id: string
  workspace: string | undefined
}

const MAX_NAMED_DOCUMENTS = 5

/** The errors among the documents that are shown, each said once with the documents that have it. */
export function ErrorGroups({ documents, dataset_id, workspace }: ErrorGroupsProps) {
  const t = useMessages(documentMessages)
  const groups = Object.entries(Object.groupBy(documents, ({ error }) => error ?? '')).filter(([error]) => error)
  if (groups.length === 0) return null
  return (
    <ul className={classes.strip} aria-label={t('errors')}>
      {groups.map(([error, group = []]) => (
        <Flex key={error} component="li" wrap="wrap" columnGap="sm" c="var(--failed-fg)">
          <b>{t('errorGroup', { n: group.length })}</b>
          <span>{t('platformError', { error })}</span>
          {group.slice(0, MAX_NAMED_DOCUMENTS).map(({ id, name }) => (
            <Link key={id} to={paths.document(dataset_id, id, workspace ? { workspace } : {})}>
              {name ?? id.slice(0, 8)}
            </Link>
          ))}
          {group.length > MAX_NAMED_DOCUMENTS ? (
            <span>{t('andMore', { n: group.length - MAX_NAMED_DOCUMENTS })}</span>
          ) : null}
        </Flex>
      ))}
    </ul>
  )
}
