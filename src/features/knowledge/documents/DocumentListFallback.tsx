import { Button } from '@mantine/core'
import { Link } from 'react-router'
import type { Problem } from '#contract/problem.ts'
import { resourceEndpoints } from '#contract/console/resources.ts'
import { paths } from '#domain/paths.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useRead } from '../../../client/query.ts'
import classes from './Documents.module.css'
import { Table } from '../../../components/data/Table.tsx'
import { useDocumentColumns } from './list/useDocumentColumns.tsx'
import { toDocumentRecord } from '#domain/documentRecord.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { documentMessages } from './messages.ts'

export interface DocumentListFallbackProps {
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
      <div className={classes.problem}>
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
      </div>
      {isFiltered && records && records.length > 0 ? (
        <section>
          <h2 className={classes.remembered}>
            {t('remembered')} <span>{t('rememberedCount', { n: resources.data?.total ?? 0 })}</span>
          </h2>
          <Table label={t('documents')} columns={columns} rows={records} getKey={({ id }) => id} />
        </section>
      ) : null}
    </>
  )
}
