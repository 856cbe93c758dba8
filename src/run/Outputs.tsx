import type { RunState } from '#contract/run.ts'
import { RawJson } from '../ui/RawJson.tsx'
import { useWords } from '../ui/words.ts'
import { runWords } from './messages.ts'

/** What a workflow gave at its end; nothing before, and nothing where it gave nothing. */
export function Outputs({ run }: { run: RunState }) {
  const t = useWords(runWords)
  if (run.outputs === null || run.outputs === undefined) return null
  return (
    <section aria-label={t('outputs')}>
      <RawJson value={run.outputs} label={t('outputs')} />
    </section>
  )
}
