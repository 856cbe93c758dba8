import { ActionIcon, Button, Group, Progress } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { Link } from 'react-router'
import { StatusBadge } from '../../../../components/data/StatusBadge.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import type { DocumentListState } from '../list/useDocumentList.ts'
import { documentMessages } from '../messages.ts'
import classes from '../Documents.module.css'
import { useBulkJob } from './bulkJobs.ts'
import type { BulkResult } from './runBulkAction.ts'

/** Results beyond are counted. */
const MAX_LISTED_RESULTS = 500

/** One strip for what is done with several documents: how far it is, and the result of each, failures first. */
export function BulkProgress({ documents: { dataset_id, toDocumentPath } }: { documents: DocumentListState }) {
  const t = useMessages(documentMessages)
  const { job, dismiss } = useBulkJob(dataset_id)
  if (!job) return null
  const { action, documents, results, state } = job
  const failed = results.filter(({ problem }) => problem !== null)
  const done = results.length - failed.length
  const listed = [...failed, ...results.filter(({ problem }) => problem === null)]
  return (
    <section className={classes.strip} aria-label={t('bulkTitle')}>
      <Group gap="xs" mb="xs">
        <b>{t(`bulkActions.${action}`)}</b>
        <span role="status">
          {t(`bulkState.${state}`, {
            done,
            failed: failed.length,
            all: documents.length,
            left: documents.length - results.length,
          })}
        </span>
        {state === 'running' ? (
          <Button variant="default" size="compact-xs" ml="auto" onClick={job.stop}>
            {t('bulkStop')}
          </Button>
        ) : (
          <ActionIcon size={24} ml="auto" aria-label={t('close')} title={t('close')} onClick={dismiss}>
            <IconX size={14} />
          </ActionIcon>
        )}
      </Group>
      {state === 'running' ? (
        <Progress value={(results.length / Math.max(1, documents.length)) * 100} aria-label={t('bulkTitle')} />
      ) : null}
      {listed.length > 0 ? (
        <details open={failed.length > 0}>
          <summary>{t('bulkResults')}</summary>
          <ul className={classes.results}>
            {listed.slice(0, MAX_LISTED_RESULTS).map((result) => (
              <BulkResultRow
                key={result.document.id}
                result={result}
                path={action === 'delete' && result.problem === null ? null : toDocumentPath(result.document.id)}
              />
            ))}
          </ul>
          {listed.length > MAX_LISTED_RESULTS ? <p>{t('andMore', { n: listed.length - MAX_LISTED_RESULTS })}</p> : null}
        </details>
      ) : null}
    </section>
  )
}

function BulkResultRow({ result: { document, problem }, path }: { result: BulkResult; path: string | null }) {
  const t = useMessages(documentMessages)
  const name = document.name ?? document.id.slice(0, 8)
  return (
    <li>
      {path === null ? <span>{name}</span> : <Link to={path}>{name}</Link>}
      {problem ? (
        <>
          <StatusBadge status="failed" isPlain />
          <q>{problem.message}</q>
        </>
      ) : (
        <span className={classes.missing}>{t('bulkDone')}</span>
      )}
    </li>
  )
}
