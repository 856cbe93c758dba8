import { useState } from 'react'
import { type RunForm, type ScheduledAnswer, formEndpoints } from '#contract/console/forms.ts'
import { deleteFormDraft, readFormDraft, saveFormDraft } from '../../../components/forms/formDraftStorage.ts'
import { useRead, useWrite } from '../../../client/query.ts'
import type { FieldErrors, FormValues } from '../inputs/inputFields.ts'
import { usePendingUploads } from '../inputs/pendingUploads.ts'
import { toFormInputs } from './formInput.ts'

/** Poll interval (ms) of a form that can be answered: somebody may answer it at the platform. */
const FORM_POLL_INTERVAL_MS = 5_000

export type RunFormState = ReturnType<typeof useRunForm>

/**
 * A form of a run: its state at the platform, what was typed (kept in this tab until it is sent or discarded, whatever
 * becomes of the run), and its submission.
 */
export function useRunForm(run_id: string, form: RunForm) {
  const draftName = `form.${run_id}.${form.form_id}`
  const [values, setStateValues] = useState<FormValues>(
    () => (readFormDraft<FormValues>(sessionStorage, draftName) ?? {}) as FormValues,
  )
  const [errors, setErrors] = useState<FieldErrors>({})
  const [chosen, setChosen] = useState<string | null>(null)
  const params = { run_id, form_id: form.form_id }
  const read = useRead(
    formEndpoints.readRunForm,
    { params },
    {
      pollIntervalMs: (reply) => (form.is_pending && reply?.state === 'open' ? FORM_POLL_INTERVAL_MS : false),
    },
  )
  const write = useWrite(formEndpoints.submitRunForm)
  const [isSentLater, setSentLater] = useState(false)
  const schedule = useWrite(formEndpoints.scheduleRunForm)
  const cancellation = useWrite(formEndpoints.cancelScheduledForm)
  const uploads = usePendingUploads()
  const isSubmitting = write.isPending || schedule.isPending
  const setValues = (next: FormValues) => {
    setStateValues(next)
    setErrors({})
    saveFormDraft(sessionStorage, draftName, next)
  }
  const discard = () => {
    setStateValues({})
    deleteFormDraft(sessionStorage, draftName)
  }
  const submit = (action: string) => {
    if (isSubmitting || uploads.refuseSend()) return
    const { inputs, errors: found } = toFormInputs(form, values)
    setErrors(found)
    setChosen(action)
    if (Object.keys(found).length > 0) return
    const { mutate } = isSentLater && read.data?.resumption_risk ? schedule : write
    mutate({ params, body: { inputs, action } }, { onSuccess: discard, onSettled: () => void read.refetch() })
  }
  /** What was typed can be edited again, except for files. */
  const cancel = ({ inputs }: ScheduledAnswer) =>
    cancellation.mutate(
      { params },
      {
        onSuccess: () =>
          setValues(
            Object.fromEntries(Object.entries(inputs).filter(([, value]) => typeof value === 'string')) as FormValues,
          ),
        onSettled: () => void read.refetch(),
      },
    )
  return {
    values,
    setValues,
    errors,
    discard,
    submit,
    uploads,
    chosen,
    isSubmitting,
    isSentLater,
    setSentLater,
    cancel,
    isCancelling: cancellation.isPending,
    cancelProblem: cancellation.error?.problem ?? null,
    submission: write.data ?? null,
    submitProblem: (write.error ?? schedule.error)?.problem ?? null,
    isTyped: Object.keys(values).length > 0,
    /** What the server knows of the form; null until it is read. */
    known: read.data?.form.form_id === form.form_id ? read.data : null,
    readProblem: read.error?.problem ?? null,
    retryRead: () => void read.refetch(),
  }
}
