import type { RunState } from '#domain/workflowRun/runState.ts'
import { RawJson } from '../../../components/data/json/RawJson.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { runMessages } from '../detail/messages.ts'

/** The outputs of a finished workflow; nothing before the end or without outputs. */
export function WorkflowOutputs({ run }: { run: RunState }) {
  const t = useMessages(runMessages)
  if (run.outputs === null || run.outputs === undefined) return null
  return (
    <section aria-label={t('outputs')}>
      <RawJson value={run.outputs} label={t('outputs')} />
    </section>
  )
}
