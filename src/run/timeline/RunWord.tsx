import type { ReactNode } from 'react'
import type { RunState } from '#contract/run.ts'
import { RawJson } from '../../ui/RawJson.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { useWords } from '../../ui/words.ts'
import { timelineWords } from './messages.ts'
import classes from './RunWord.module.css'

/** The words that say themselves what they mean. */
const PLAIN = ['running', 'succeeded', 'failed', 'stopped']

/** What a workflow's own word for its state means, where that is not plain. */
export function RunWord({ run }: { run: RunState }) {
  const t = useWords(timelineWords)
  const { status, paused, exceptions_count, forms } = run
  if (status === null || PLAIN.includes(status)) return null
  return (
    <section className={classes.word} role="status">
      <p>
        <StateBadge word={status} />{' '}
        {status === 'paused'
          ? t('paused')
          : status === 'partial-succeeded'
            ? t('partial', { count: exceptions_count ?? 0 })
            : t.rich('foreign', { status, code: (words: ReactNode) => <code>{words}</code> })}
      </p>
      {paused ? <RawJson value={{ ...paused, ...(forms.length > 0 ? { forms } : {}) }} label={t('pausedWhy')} /> : null}
    </section>
  )
}
