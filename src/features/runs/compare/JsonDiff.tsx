import { useMemo } from 'react'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { compareJson, type JsonChange, formatJsonPath } from './compareJson.ts'
import classes from './Changes.module.css'
import { comparisonMessages } from './messages.ts'
import { truncateText } from '#contract/truncatedText.ts'

/** Maximum differences shown, and maximum characters of each value. */
const MAX_CHANGES = 200
const MAX_VALUE_CHARS = 400

/** The differences of two JSON values, one per line: path, before, after. */
export function JsonDiff({ before, after, label }: { before: unknown; after: unknown; label: string }) {
  const t = useMessages(comparisonMessages)
  const changes = useMemo(() => compareJson(before, after), [before, after])
  if (changes.length === 0) return <p className={classes.note}>{t('sameJson')}</p>
  return (
    <>
      <ul className={classes.changes} aria-label={label}>
        {changes.slice(0, MAX_CHANGES).map((change) => (
          <li key={JSON.stringify(change.path)} data-kind={change.kind}>
            <span className={classes.kind}>{t(change.kind)}</span>
            <code className={classes.path}>{formatJsonPath(change.path)}</code>
            <JsonChangeValues change={change} />
          </li>
        ))}
      </ul>
      {changes.length > MAX_CHANGES ? (
        <p className={classes.note}>{t('moreChanges', { count: changes.length - MAX_CHANGES })}</p>
      ) : null}
    </>
  )
}

function JsonChangeValues({ change }: { change: JsonChange }) {
  return (
    <span className={classes.values} dir="auto">
      {change.kind === 'added' ? null : <del>{toShortJson(change.before)}</del>}{' '}
      {change.kind === 'removed' ? null : <ins>{toShortJson(change.after)}</ins>}
    </span>
  )
}

function toShortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined'
  return truncateText(text, MAX_VALUE_CHARS, '…')
}
