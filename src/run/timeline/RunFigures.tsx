import type { RunState } from '#contract/run.ts'
import { Metric } from '../../ui/Metric.tsx'
import { useWords } from '../../ui/words.ts'
import { count, seconds } from '../figures.ts'
import { timelineWords } from './messages.ts'

/** What a workflow took, in the platform's figures. What was not given says so. */
export function RunFigures({ run }: { run: RunState }) {
  const t = useWords(timelineWords)
  const { elapsed_time, total_steps, total_tokens } = run
  return (
    <>
      <Metric label={t('elapsed')} value={elapsed_time === null ? null : seconds(elapsed_time * 1000)} unit="s" />
      <Metric label={t('steps')} value={total_steps} />
      <Metric label={t('totalTokens')} value={total_tokens === null ? null : count(total_tokens)} />
    </>
  )
}
