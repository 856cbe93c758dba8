import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { InputsForm } from '../../run/InputsForm.tsx'
import { useWords } from '../../ui/words.ts'
import { retrievalWords } from './messages.ts'
import classes from './Retrieval.module.css'
import type { Probe } from './useProbe.ts'

/** What the app that is probed asks for beside the question; nothing where it asks for nothing. */
export function ProbeInputs({ probe }: { probe: Probe }) {
  const t = useWords(retrievalWords)
  const { controls, filled, onFilled, faults, upload, problem, retry } = probe
  if (problem)
    return (
      <ProblemNote problem={problem} what={t('parametersWhat')} onRetry={retry}>
        <span>{t('parametersUnknown')}</span>
      </ProblemNote>
    )
  if (controls.length === 0) return null
  return (
    <div className={classes.inputs} role="group" aria-label={t('probeInputs')}>
      <InputsForm controls={controls} filled={filled} onFilled={onFilled} faults={faults} upload={upload} />
    </div>
  )
}
