import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { InputsForm } from '../../runs/inputs/InputsForm.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { retrievalMessages } from './messages.ts'
import classes from './Retrieval.module.css'
import type { RetrievalProbe } from './useRetrievalProbe.ts'

/** What the app that is probed asks for beside the question; nothing where it asks for nothing. */
export function ProbeInputs({ probe }: { probe: RetrievalProbe }) {
  const t = useMessages(retrievalMessages)
  const { controls: fields, filled: formValues, onFilled: onFormValues, faults: errors, upload, problem, retry } = probe
  if (problem)
    return (
      <ProblemAlert problem={problem} action={t('parametersWhat')} onRetry={retry}>
        <span>{t('parametersUnknown')}</span>
      </ProblemAlert>
    )
  if (fields.length === 0) return null
  return (
    <div className={classes.inputs} role="group" aria-label={t('probeInputs')}>
      <InputsForm fields={fields} values={formValues} onChange={onFormValues} errors={errors} upload={upload} />
    </div>
  )
}
