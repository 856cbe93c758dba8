import { useTranslations } from 'use-intl'
import { Since } from '../../ui/Since.tsx'
import classes from './Document.module.css'
import type { DocumentRecord } from '#contract/records.ts'

/** What the platform says of a document, under its own names. */
export function DocumentFacts({ record }: { record: DocumentRecord }) {
  const t = useTranslations('segments')
  const facts = [
    ['doc_form', record.doc_form],
    ['word_count', record.word_count?.toLocaleString()],
    ['tokens', record.tokens?.toLocaleString()],
    ['hit_count', record.hit_count?.toLocaleString()],
    ['data_source_type', record.data_source_type],
    ['created_from', record.created_from],
    ['created_at', record.created_at == null ? null : <Since at={record.created_at} />],
  ] as const
  return (
    <dl className={classes.facts} aria-label={t('facts')} tabIndex={0}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value ?? <span className={classes.missing}>{t('notGiven')}</span>}</dd>
        </div>
      ))}
    </dl>
  )
}
