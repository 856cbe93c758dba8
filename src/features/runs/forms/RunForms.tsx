import type { Key } from '#contract/console/workspaces.ts'
import { listRunForms } from '#domain/workflowRun/runForms.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import type { Turn } from '../turn.ts'
import { formMessages } from './messages.ts'
import { RunFormCard } from './RunFormCard.tsx'
import classes from './RunForms.module.css'
import { useResumption } from './useResumption.ts'

/** The human input forms of a run: those that it waits for, and how the others were answered. */
export function RunForms({ turn, app }: { turn: Turn; app: Pick<Key, 'id' | 'offers'> | null }) {
  const t = useMessages(formMessages)
  useResumption(turn)
  const forms = listRunForms(turn.answer.run)
  if (forms.length === 0) return null
  return (
    <div className={classes.forms}>
      {forms.map((form) =>
        // The question of an agent app belongs to its message: no workflow is paused.
        form.node_id !== null && form.node_id === turn.answer.message_id ? (
          <section key={form.form_id} className={classes.form} role="note">
            <h3 dir="auto">{t('agentQuestion', { title: form.node_title })}</h3>
            <p>{t('agentQuestionText')}</p>
          </section>
        ) : (
          <RunFormCard key={form.form_id} turn={turn} app={app} form={form} />
        ),
      )}
    </div>
  )
}
