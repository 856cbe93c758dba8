import type { ReactNode } from 'react'
import type { RunForm } from '#contract/console/forms.ts'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { formMessages } from './messages.ts'
import classes from './RunForms.module.css'
import type { RunFormState } from './useRunForm.ts'

/** Who answered a form, when, and what: from the ledger if it was answered here, otherwise from the run's own frames. */
export function FormOutcomeNote({
  form,
  state,
  isRunning,
}: {
  form: RunForm
  state: RunFormState
  /** The page does not know yet that the run goes on. */
  isRunning: boolean
}) {
  const t = useMessages(formMessages)
  const { known, submission } = state
  const answer = submission?.answer ?? known?.answer ?? null
  const { outcome } = form
  const getActionTitle = (id: string) => form.actions.find((action) => action.id === id)?.title ?? id
  const inputs = Object.entries(answer?.inputs ?? outcome?.inputs ?? {})
  return (
    <>
      <p role="status">
        {getSentence()} {isRunning ? t('goesOn') : null}
      </p>
      {submission?.result === 'probably_accepted' ? <p>{t('probably')}</p> : null}
      {inputs.length === 0 ? null : (
        <dl className={classes.values}>
          {inputs.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd dir="auto">{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  )

  function getSentence(): ReactNode {
    if (answer) {
      const values = {
        b: bold,
        at: () => <RelativeTime at={answer.at} />,
        action: getActionTitle(answer.action),
        person: answer.person ?? '',
      }
      return t.rich(answer.person === null ? 'answeredHereUnknown' : 'answeredHere', values)
    }
    if (!known && !outcome) return null
    const action = outcome?.action_title ?? (outcome?.action_id ? getActionTitle(outcome.action_id) : 'none')
    return t.rich('answeredElsewhere', { b: bold, action })
  }
}

const bold = (words: ReactNode) => <b>{words}</b>
