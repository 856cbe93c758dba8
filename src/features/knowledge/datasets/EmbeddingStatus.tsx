import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import type { DatasetRecord } from '../useDataset.ts'
import classes from './Datasets.module.css'
import { datasetMessages } from './messages.ts'

/** Whether a dataset can be searched, as far as its record tells. */
export function EmbeddingStatus({ record }: { record: DatasetRecord | null }) {
  const t = useMessages(datasetMessages)
  if (record?.provider === 'external') return <StatusBadge status="external" />
  if (record?.indexing_technique === 'high_quality' && record.embedding_available === false)
    return <StatusBadge status="no model" />
  const all = record?.['total_documents']
  const available = record?.['total_available_documents']
  if (typeof all !== 'number' || typeof available !== 'number')
    return <span className={classes.missing}>{t('notGiven')}</span>
  if (available < all) return <span className={classes.partly}>{t('available', { available, all })}</span>
  return <StatusBadge status="ready" isPlain />
}
