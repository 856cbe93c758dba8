import { type Change, diffLines, diffWordsWithSpace } from 'diff'
import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import classes from './TextDiff.module.css'

/** Longer texts are compared by lines. */
const MOST_FOR_WORDS = 20_000
/** A comparison that would hold up the page for longer is given up. Milliseconds. */
const PATIENCE = 40
/** Characters shown of a part that is the same on both sides. */
const AROUND = 120

/** What changes between two texts: added is underlined, removed struck through, what stays the same is cut short. */
export function TextDiff({ before, after }: { before: string; after: string }) {
  const t = useTranslations('ui')
  const changes = useMemo(() => compare(before, after), [before, after])
  if (!changes)
    return <p className={classes.note}>{t('diffTooLong', { before: before.length, after: after.length })}</p>
  const added = changes.reduce((sum, one) => sum + (one.added ? one.value.length : 0), 0)
  const removed = changes.reduce((sum, one) => sum + (one.removed ? one.value.length : 0), 0)
  return (
    <figure className={classes.diff}>
      <figcaption>
        <ins>+{added.toLocaleString()}</ins> <del>−{removed.toLocaleString()}</del> {t('diffCharacters')}
      </figcaption>
      <div className={classes.text} tabIndex={0} role="group" aria-label={t('diff')}>
        {changes.map((change, index) =>
          change.added ? (
            <ins key={index}>{change.value}</ins>
          ) : change.removed ? (
            <del key={index}>{change.value}</del>
          ) : (
            <span key={index}>{shorten(change.value, index === 0, index === changes.length - 1)}</span>
          ),
        )}
      </div>
    </figure>
  )
}

function compare(before: string, after: string): Change[] | undefined {
  const isShort = before.length + after.length < MOST_FOR_WORDS
  const words = isShort ? diffWordsWithSpace(before, after, { timeout: PATIENCE }) : undefined
  return words ?? diffLines(before, after, { timeout: PATIENCE })
}

function shorten(text: string, isFirst: boolean, isLast: boolean): string {
  if (text.length <= AROUND * 2) return text
  const head = isFirst ? '' : text.slice(0, AROUND)
  return `${head} … ${isLast ? '' : text.slice(-AROUND)}`
}
