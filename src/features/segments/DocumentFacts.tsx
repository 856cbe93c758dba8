import type { ReactNode } from 'react'
import { Since } from '../../ui/Since.tsx'
import type { Measured } from '#contract/estimate.ts'
import type { KeptEstimate } from '../../wire/useEstimate.ts'
import classes from './Document.module.css'
import type { DocumentRecord } from '#contract/records.ts'
import { useWords } from '../../ui/words.ts'
import { segmentsWords } from './messages.ts'

export interface DocumentFactsProps {
  record: DocumentRecord
  measured: Measured | undefined
  /** What the chunk lab had estimated before it was sent; null where nothing is known, undefined until it is read. */
  kept: KeptEstimate | null | undefined
}

/** What the platform says of a document, under its own names, and beside its counts what the chunk lab had estimated. */
export function DocumentFacts({ record, measured, kept }: DocumentFactsProps) {
  const t = useWords(segmentsWords)
  const estimate = kept?.estimate
  const facts: readonly (readonly [name: string, value: ReactNode, estimated?: number | undefined])[] = [
    ['doc_form', record.doc_form],
    [t('segmentsFact'), measured?.segments?.toLocaleString('en'), estimate?.segments],
    ['word_count', record.word_count?.toLocaleString('en'), estimate?.words],
    ['tokens', record.tokens?.toLocaleString('en'), estimate?.tokens],
    ['hit_count', record.hit_count?.toLocaleString('en')],
    ['data_source_type', record.data_source_type],
    ['created_from', record.created_from],
    ['created_at', record.created_at == null ? null : <Since at={record.created_at} />],
  ]
  return (
    <dl className={classes.facts} aria-label={t('facts')} tabIndex={0}>
      {facts.map(([name, value, estimated]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value ?? <span className={classes.missing}>{t('notGiven')}</span>}
            {estimated === undefined ? null : <small>{t('estimated', { n: estimated })}</small>}
          </dd>
        </div>
      ))}
      {kept === undefined ? null : (
        <div>
          <dt>{t('estimate')}</dt>
          <dd>{kept ? <Made kept={kept} /> : <span className={classes.missing}>{t('noEstimate')}</span>}</dd>
        </div>
      )}
    </dl>
  )
}

/** When and by which rule, since the counts can only be compared where the platform cut by the same. */
function Made({ kept: { estimate, created_at } }: { kept: KeptEstimate }) {
  const t = useWords(segmentsWords)
  const { process_rule, children, characters, isRuleSent } = estimate
  const { separator, max_tokens } = process_rule.rules?.segmentation ?? {}
  const cut =
    max_tokens === undefined ? process_rule.mode : `${process_rule.mode} ${JSON.stringify(separator)} ${max_tokens}`
  return (
    <>
      <Since at={created_at} /> <code>{cut}</code>
      <small>
        {t('estimateOf', { characters, children })}
        {isRuleSent ? null : ` ${t('ruleLeft')}`}
      </small>
    </>
  )
}
