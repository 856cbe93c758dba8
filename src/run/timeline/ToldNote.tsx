import type { RunState } from '#contract/run.ts'
import { Since } from '../../ui/Since.tsx'
import { useWords } from '../../ui/words.ts'
import { timelineWords } from './messages.ts'
import classes from './RunWord.module.css'

/** Where it is known from how a run ended, where its own stream or reply did not say it. */
export function ToldNote({ run }: { run: RunState }) {
  const t = useWords(timelineWords)
  // Runs that were kept before there was such a thing have none.
  const told = run.told ?? null
  if (told === null) return null
  const since = () => <Since key="since" at={told.at} ago />
  const words = told.elsewhere ? 'toldElsewhere' : run.ended ? 'toldEnd' : 'toldOpen'
  return (
    <p className={classes.told} role="note">
      {t.rich(words, { since })} {told.because === null ? null : t('toldBecause', { reason: told.because })}
    </p>
  )
}
