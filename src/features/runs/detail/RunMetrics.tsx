import type { RunState } from '#domain/workflowRun/runState.ts'
import { Metric } from '../../../components/data/Metric.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { formatCount, formatSeconds } from '#domain/metricFormat.ts'
import { timelineMessages } from '../timeline/messages.ts'

/** The platform's metrics of a workflow. A missing value is shown as missing. */
export function RunMetrics({ run }: { run: RunState }) {
  const t = useMessages(timelineMessages)
  const { elapsed_time, total_steps, total_tokens } = run
  return (
    <>
      <Metric label={t('elapsed')} value={elapsed_time === null ? null : formatSeconds(elapsed_time * 1000)} unit="s" />
      <Metric label={t('steps')} value={total_steps} />
      <Metric label={t('totalTokens')} value={total_tokens === null ? null : formatCount(total_tokens)} />
    </>
  )
}
