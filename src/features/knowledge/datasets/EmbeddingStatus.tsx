import { VisuallyHidden } from '@mantine/core'
import { Link } from 'react-router'
import { documentEndpoints } from '#contract/platform/documents.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { filterByStatus } from '#domain/documentRecord.ts'
import { paths } from '#domain/paths.ts'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import classes from './Datasets.module.css'
import { datasetMessages } from './messages.ts'
import type { DatasetRow } from './datasetRow.ts'

export interface EmbeddingStatusProps {
  dataset: DatasetRow
  /** Of the platform that listed the dataset; undefined where the row is of the ledger. */
  knowledge: Key | undefined
  isBuiltIn: boolean
}

/** Whether a dataset can be searched, as far as its record tells, and how many of its documents failed. */
export function EmbeddingStatus({ dataset, knowledge, isBuiltIn }: EmbeddingStatusProps) {
  const t = useMessages(datasetMessages)
  const { record } = dataset
  if (record?.provider === 'external') return <StatusBadge status="external" />
  // Without a model the built-in platform searches by keyword: nothing is missing there.
  if (!isBuiltIn && record?.indexing_technique === 'high_quality' && record.embedding_available === false)
    return <StatusBadge status="no model" />
  const all = record?.['total_documents']
  const available = record?.['total_available_documents']
  if (typeof all !== 'number' || typeof available !== 'number')
    return <span className={classes.missing}>{t('notGiven')}</span>
  if (available < all)
    return (
      <span className={classes.states}>
        {knowledge ? <FailedDocuments dataset={dataset} knowledge={knowledge} /> : null}
        <StatusBadge status="partly available" isPlain />
        <span className={classes.available}>{t('availableCount', { done: available, total: all })}</span>
      </span>
    )
  return <StatusBadge status="ready" isPlain />
}

/** How many documents failed to be indexed. Platforms that ignore the status filter of their list do not tell it. */
function FailedDocuments({ dataset: { id, workspace, name }, knowledge }: { dataset: DatasetRow; knowledge: Key }) {
  const t = useMessages(datasetMessages)
  const { data } = useRead(documentEndpoints.list, {
    key: knowledge.id,
    params: { dataset_id: id },
    query: { status: 'error', limit: 1 },
  })
  const count = data && filterByStatus(data.data, 'error').length > 0 ? (data.total ?? data.data.length) : 0
  if (count === 0) return null
  return (
    <Link to={paths.dataset(id, { workspace, status: 'error' })} className={classes.failed}>
      <StatusBadge status="error" count={count} />
      <VisuallyHidden>{t('failedOf', { n: count, name: name ?? id.slice(0, 8) })}</VisuallyHidden>
    </Link>
  )
}
