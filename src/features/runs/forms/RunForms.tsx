import type { Key } from '#contract/console/workspaces.ts'
import { listRunForms } from '#domain/workflowRun/runForms.ts'
import type { Turn } from '../turn.ts'
import { RunFormCard } from './RunFormCard.tsx'
import classes from './RunForms.module.css'
import { useResumption } from './useResumption.ts'

/** The human input forms of a run: those that it waits for, and how the others were answered. */
export function RunForms({ turn, app }: { turn: Turn; app: Pick<Key, 'id' | 'offers'> | null }) {
  useResumption(turn)
  const forms = listRunForms(turn.answer.run)
  if (forms.length === 0) return null
  return (
    <div className={classes.forms}>
      {forms.map((form) => (
        <RunFormCard key={form.form_id} turn={turn} app={app} form={form} />
      ))}
    </div>
  )
}
