import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { contract } from '#contract/index.ts'
import type { Problem } from '#contract/problem.ts'
import { paths } from '../../paths.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useRead } from '../../wire/query.ts'
import classes from './Documents.module.css'
import { Table } from '../../ui/Table.tsx'
import { useDocumentColumns } from './useDocumentColumns.tsx'
import { documentOf } from '#contract/records.ts'
import { useWords } from '../../ui/words.ts'
import { documentsWords } from './messages.ts'

export interface RefusedDocumentsProps {
  problem: Problem
  dataset_id: string
  workspace: string | undefined
  /** Whether to show what the ledger has, where there are no older rows on the page. */
  remembers: boolean
  onRetry: () => void
  onReset: () => void
}

/** The list was refused: the platform's words and the way on, and below what this console saw before. */
export function RefusedDocuments({
  problem,
  dataset_id,
  workspace,
  remembers,
  onRetry,
  onReset,
}: RefusedDocumentsProps) {
  const t = useWords(documentsWords)
  const columns = useDocumentColumns({ dataset_id, workspace, watched: [] }).slice(0, 7)
  const things = useRead(
    contract.console.listThings,
    { query: { kind: 'document', parent: dataset_id, workspace, limit: 100 } },
    { enabled: remembers && workspace !== undefined },
  )
  const records = things.data?.data.map(({ id, label, payload }) => documentOf(payload) ?? { id, name: label })
  return (
    <>
      <div className={classes.problem}>
        <ProblemNote problem={problem} what={t('listWhat')} onRetry={onRetry}>
          {problem.kind === 'invalid' ? (
            <Button variant="default" onClick={onReset}>
              {t('firstPage')}
            </Button>
          ) : null}
          <Button variant="default" component={Link} to={paths.datasets({ workspace: workspace ?? '' })}>
            {t('toDatasets')}
          </Button>
        </ProblemNote>
      </div>
      {remembers && records && records.length > 0 ? (
        <section>
          <h2 className={classes.remembered}>
            {t('remembered')} <span>{t('rememberedCount', { n: things.data?.total ?? 0 })}</span>
          </h2>
          <Table label={t('documents')} columns={columns} rows={records} keyOf={({ id }) => id} />
        </section>
      ) : null}
    </>
  )
}
