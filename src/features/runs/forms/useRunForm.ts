import { useState } from 'react'
import { type FormField, type RunForm, type ScheduledAnswer, formEndpoints } from '#contract/console/forms.ts'
import { deleteFormDraft, readFormDraft, saveFormDraft } from '../../../components/forms/formDraftStorage.ts'
import { useRead, useWrite } from '../../../client/query.ts'
import type { FieldErrors, FormValues, InputField } from '../inputs/inputFields.ts'
import { findFilesError, normalizeExtensions, parseFileEntries, toFileInput } from '../inputs/inputFiles.ts'
import { usePendingUploads } from '../inputs/pendingUploads.ts'

/** Poll interval (ms) of a form that can be answered: somebody may answer it at the platform. */
const FORM_POLL_INTERVAL_MS = 5_000

export type RunFormState = ReturnType<typeof useRunForm>

/**
 * A form of a run: its state at the platform, its input (stored in this tab until it is sent or discarded, whatever
 * happens to the run), and its submission.
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

/**
 * A field of a form as a control of the inputs form. An unknown kind is answered as text, and so is a choice whose options
 * only the platform knows.
 */
export const toInputControl = ({ name, kind, initial, options, files }: FormField): InputField => ({
  kind: files === null && !isChoice({ kind, options }) ? 'paragraph' : kind,
  variable: name,
  label: name,
  description: '',
  required: true,
  hidden: false,
  max_length: null,
  options,
  initial: isChoice({ kind, options }) && !options.includes(initial) ? '' : initial,
  files: files && { ...files, extensions: normalizeExtensions(files.extensions), maxMegabytesByType: {} },
})

const isChoice = ({ kind, options }: Pick<FormField, 'kind' | 'options'>): boolean =>
  kind === 'select' && options.length > 0

/** The `inputs` of an answer, or the errors that block it. A text may be empty; an option and a file are required. */
export function toFormInputs(
  form: Pick<RunForm, 'fields'>,
  values: FormValues,
): { inputs: Record<string, unknown>; errors: FieldErrors } {
  const inputs: Record<string, unknown> = {}
  const errors: FieldErrors = {}
  for (const field of form.fields) {
    const control = toInputControl(field)
    const text = values[field.name] ?? control.initial
    if (control.files) {
      const entries = parseFileEntries(text)
      const error = entries.length === 0 ? { key: 'required' as const } : findFilesError(control.files, entries)
      if (error) errors[field.name] = { ...error, label: field.name }
      const files = entries.map(toFileInput)
      inputs[field.name] = field.kind === 'file' ? files[0] : files
    } else if (field.kind === 'select' && text === '') errors[field.name] = { key: 'required', label: field.name }
    else inputs[field.name] = text
  }
  return { inputs, errors }
}

/** The action of the submit keys: the primary one, or the only one. */
export const findPrimaryAction = ({ actions }: Pick<RunForm, 'actions'>) =>
  actions.find(({ style }) => style === 'primary') ?? (actions.length === 1 ? actions[0] : undefined)
