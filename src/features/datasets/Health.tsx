import { StateBadge } from '../../ui/StateBadge.tsx'
import { useWords } from '../../ui/words.ts'
import type { DatasetRecord } from '../../wire/useDataset.ts'
import classes from './Datasets.module.css'
import { datasetsWords } from './messages.ts'

/** Whether a dataset can be searched, as far as its record tells. */
export function Health({ record }: { record: DatasetRecord | null }) {
  const t = useWords(datasetsWords)
  if (record?.provider === 'external') return <StateBadge word="external" />
  if (record?.indexing_technique === 'high_quality' && record.embedding_available === false)
    return <StateBadge word="no model" />
  const all = record?.['total_documents']
  const available = record?.['total_available_documents']
  if (typeof all !== 'number' || typeof available !== 'number')
    return <span className={classes.missing}>{t('notGiven')}</span>
  if (available < all) return <span className={classes.partly}>{t('available', { available, all })}</span>
  return <StateBadge word="ready" plain />
}
