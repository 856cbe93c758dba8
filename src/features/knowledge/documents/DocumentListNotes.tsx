import { Box, Button, Flex, Group, Progress, Text } from '@mantine/core'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './Documents.module.css'
import { documentMessages } from './messages.ts'
import { NO_DOCUMENT_FILTERS } from './list/DocumentTable.tsx'
import { MAX_WHOLE_LIST_DOCUMENTS } from './list/readAllDocuments.ts'
import type { DocumentListState } from './list/useDocumentList.ts'
import { Link } from 'react-router'
import { resourceEndpoints } from '#contract/console/resources.ts'
import { paths } from '#domain/paths.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useRead } from '../../../client/query.ts'
import { Table } from '../../../components/data/Table.tsx'
import { useDocumentColumns } from './list/useDocumentColumns.tsx'
import { toDocumentRecord } from '#domain/documentRecord.ts'

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

/** The list was refused: the platform's words and the way on, and below what this console saw before. */
export function DocumentListFallback({ documents }: { documents: DocumentListState }) {
  const t = useMessages(documentMessages)
  const { problem, dataset_id, page, params } = documents
  const workspace = documents.workspace?.id
  const columns = useDocumentColumns({ dataset_id, workspace, watchedDocuments: [] }).slice(0, 7)
  const resources = useRead(
    resourceEndpoints.listResources,
    { query: { kind: 'document', parent: dataset_id, workspace, limit: 100 } },
    { enabled: problem !== null && !page && workspace !== undefined },
  )
  const records = resources.data?.data.map(({ id, label, payload }) => toDocumentRecord(payload) ?? { id, name: label })
  if (!problem) return null
  return (
    <>
      <Box p="lg" maw={820}>
        <ProblemAlert problem={problem} action={t('listWhat')} onRetry={documents.retry}>
          {problem.kind === 'invalid' ? (
            <Button variant="default" onClick={() => params.set({ ...NO_DOCUMENT_FILTERS, sort: null, limit: null })}>
              {t('firstPage')}
            </Button>
          ) : null}
          <Button variant="default" component={Link} to={paths.datasets({ workspace: workspace ?? '' })}>
            {t('toDatasets')}
          </Button>
        </ProblemAlert>
      </Box>
      {!page && records && records.length > 0 ? (
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

const MAX_NAMED_DOCUMENTS = 5

/** The errors of the listed documents, each shown once with its documents. */
export function ErrorGroups({ documents: { page, toDocumentPath } }: { documents: DocumentListState }) {
  const t = useMessages(documentMessages)
  const groups = Object.entries(Object.groupBy(page?.data ?? [], ({ error }) => error ?? '')).filter(([error]) => error)
  if (groups.length === 0) return null
  return (
    <ul className={classes.strip} aria-label={t('errors')}>
      {groups.map(([error, group = []]) => (
        <Flex key={error} component="li" wrap="wrap" columnGap="sm" c="var(--failed-fg)">
          <b>{t('errorGroup', { n: group.length })}</b>
          <span>{t('platformError', { error })}</span>
          {group.slice(0, MAX_NAMED_DOCUMENTS).map(({ id, name }) => (
            <Link key={id} to={toDocumentPath(id)}>
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
