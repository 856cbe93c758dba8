import type { ReactNode } from 'react'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { useOptionLabel } from '../../../components/forms/FieldLabel.tsx'
import { renderFieldLabel } from '../../../components/forms/registerField.tsx'
import { getEstimatedWordCount, type MeasuredChunks } from '#domain/chunking/chunkEstimate.ts'
import type { SavedEstimate } from '../chunkLab/useSavedEstimate.ts'
import { readDocumentValues, toInput } from '../metadata/metadataValues.ts'
import classes from './Document.module.css'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { segmentMessages } from './messages.ts'

export interface DocumentFactsProps {
  record: DocumentRecord
  measuredChunks: MeasuredChunks | undefined
  /** What the chunk lab had estimated before it was sent; null where nothing is known, undefined until it is read. */
  savedEstimate: SavedEstimate | null | undefined
}

/** What the platform says of a document, with the names of its fields, and beside its counts what the chunk lab had estimated. */
export function DocumentFacts({ record, measuredChunks, savedEstimate }: DocumentFactsProps) {
  const t = useMessages(segmentMessages)
  const toOptionLabel = useOptionLabel()
  const estimate = savedEstimate?.estimate
  const facts: readonly (readonly [label: ReactNode, value: ReactNode, estimated?: number | undefined])[] = [
    [renderFieldLabel('doc_form'), record.doc_form == null ? null : toOptionLabel(record.doc_form)],
    [t('segments'), measuredChunks?.segments?.toLocaleString('en'), estimate?.segments],
    [
      renderFieldLabel('word_count'),
      record.word_count?.toLocaleString('en'),
      estimate && getEstimatedWordCount(estimate),
    ],
    [renderFieldLabel('tokens'), record.tokens?.toLocaleString('en'), estimate?.tokens],
    [renderFieldLabel('hit_count'), record.hit_count?.toLocaleString('en')],
    [renderFieldLabel('data_source_type'), record.data_source_type],
    [renderFieldLabel('created_from'), record.created_from],
    [renderFieldLabel('created_at'), record.created_at == null ? null : <RelativeTime at={record.created_at} />],
    ...readDocumentValues(record).own.map(({ name, type, value }) => [name, toInput(type, value) || null] as const),
  ]
  return (
    <dl className={classes.facts} aria-label={t('facts')} tabIndex={0}>
      {facts.map(([label, value, estimated], index) => (
        <div key={index}>
          <dt>{label}</dt>
          <dd>
            {value ?? <span className={classes.missing}>{t('notGiven')}</span>}
            {estimated === undefined ? null : <small>{t('estimated', { n: estimated })}</small>}
          </dd>
        </div>
      ))}
      {savedEstimate ? (
        <div>
          <dt>{t('estimate')}</dt>
          <dd>
            <EstimateNote savedEstimate={savedEstimate} />
          </dd>
        </div>
      ) : null}
    </dl>
  )
}

/** When and by which rule, since the counts can only be compared where the platform cut by the same. */
function EstimateNote({ savedEstimate: { estimate, created_at } }: { savedEstimate: SavedEstimate }) {
  const t = useMessages(segmentMessages)
  const { process_rule, children, characters, isRuleSent } = estimate
  const { separator, max_tokens } = process_rule.rules?.segmentation ?? {}
  const splitRule =
    max_tokens === undefined ? process_rule.mode : `${process_rule.mode} ${JSON.stringify(separator)} ${max_tokens}`
  return (
    <>
      <RelativeTime at={created_at} /> <code>{splitRule}</code>
      <small>
        {t('estimateOf', { characters, children })}
        {isRuleSent ? null : ` ${t('ruleLeft')}`}
      </small>
    </>
  )
}
