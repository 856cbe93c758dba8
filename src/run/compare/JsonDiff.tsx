import { useMemo } from 'react'
import { useWords } from '../../ui/words.ts'
import { compareJson, type JsonChange, pathWords } from './json.ts'
import classes from './Changes.module.css'
import { comparisonWords } from './messages.ts'

/** So many differences are drawn, and so much of each value. */
const MOST = 200
const LONG = 400

/** The differences of two JSON values, one a line: where, what stood there, what stands there. */
export function JsonDiff({ before, after, label }: { before: unknown; after: unknown; label: string }) {
  const t = useWords(comparisonWords)
  const changes = useMemo(() => compareJson(before, after), [before, after])
  if (changes.length === 0) return <p className={classes.note}>{t('sameJson')}</p>
  return (
    <>
      <ul className={classes.changes} aria-label={label}>
        {changes.slice(0, MOST).map((change) => (
          <li key={JSON.stringify(change.path)} data-kind={change.kind}>
            <span className={classes.kind}>{t(change.kind)}</span>
            <code className={classes.path}>{pathWords(change.path)}</code>
            <Values change={change} />
          </li>
        ))}
      </ul>
      {changes.length > MOST ? (
        <p className={classes.note}>{t('moreChanges', { count: changes.length - MOST })}</p>
      ) : null}
    </>
  )
}

function Values({ change }: { change: JsonChange }) {
  return (
    <span className={classes.values} dir="auto">
      {change.kind === 'added' ? null : <del>{wordsOf(change.before)}</del>}{' '}
      {change.kind === 'removed' ? null : <ins>{wordsOf(change.after)}</ins>}
    </span>
  )
}

function wordsOf(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined'
  return text.length > LONG ? `${text.slice(0, LONG)}…` : text
}
