import { type SubmitEvent, useReducer, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import {
  type DefaultValues,
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  get,
  useForm,
  type UseFormReturn,
} from 'react-hook-form'
import type { z } from 'zod'
import { type Problem, ProblemError, toInvalidProblem } from '#contract/problem.ts'
import { useWhileMounted } from '../hooks/useWhileMounted.ts'
import { applyChangedValues, pickChangedValues } from './changedValues.ts'
import { readFormDraft } from './formDraftStorage.ts'
import { registerField } from './registerField.tsx'
import { createBodyResolver, formatFieldMessage } from './requestBodyResolver.ts'
import { useFormDraft } from './useFormDraft.ts'

export interface ContractFormOptions<Values extends FieldValues, Schema extends z.ZodType, Reply> {
  /** Validates what is sent: usually `entry.body`. */
  schema: Schema
  /** The fields have the names of the body, so that its errors find them. */
  initialValues: Values
  /** Builds the body; without it the input is the body. */
  toBody?: (values: Values) => unknown
  /** Keeps the input under this name in session storage until it is sent, also if the form is closed or the page reloaded. */
  draftName?: string | undefined
  /**
   * Usually `(body) => write.mutateAsync({ body })`. A `ProblemError` is shown in the form. `button` is the value of the
   * button that submits, where there are several.
   */
  send: (body: z.output<Schema>, button: string) => Promise<Reply> | Reply
  /**
   * Closes the form or navigates. Not called if the form was closed while it was sent; what must happen even then belongs
   * in the `onDone` of `useWrite`.
   */
  onDone?: (reply: Reply, body: z.output<Schema>) => void
}

/** What `FormDrawer`, `FormDialog` and `InlineForm` need of a form. */
export interface FormControls {
  submit: (event: SubmitEvent<HTMLFormElement>) => void
  isPending?: boolean
  /** What is not shown at a field. */
  problem?: Problem | null
  /** Closing the form would lose input: it was changed and has no draft. */
  isUnsaved?: boolean
}

export interface ContractForm<Values extends FieldValues, Body> extends Required<FormControls> {
  /** For `useWatch`, `FormProvider` and `Controller`. */
  form: UseFormReturn<Values, unknown, Body>
  /** Binds a text input or a native select: `<TextInput {...field('name')} label={t('name')} />`. */
  field: (name: FieldPath<Values>) => ReturnType<typeof registerField<Values, Body>>
  /** Binds an input whose `onChange` receives the value: `Radio.Group`, `SegmentedControl`, `TagsInput`. */
  controlled: <Name extends FieldPath<Values>>(name: Name) => ControlledField<FieldPathValue<Values, Name>>
  /** Binds a `Checkbox` or a `Switch`. */
  checkbox: (name: FieldPath<Values>) => CheckboxField
  /** The input differs from `initialValues`, or from what was sent last. */
  isDirty: boolean
  /** False if the input is too long for session storage. */
  isDraftSaved: boolean
  /** Back to `initialValues`, without draft and problem. */
  discard: () => void
}

export interface ControlledField<Value> {
  name: string
  value: Value
  onChange: (value: Value) => void
  error: string | undefined
}

interface CheckboxField {
  name: string
  checked: boolean
  onChange: (event: { currentTarget: HTMLInputElement }) => void
  error: string | undefined
}

/**
 * A form that sends one request. The schema of the request body validates its input. Errors of the schema and of the
 * server are shown at their inputs; `problem` has the others.
 */
export function useContractForm<Values extends FieldValues, Schema extends z.ZodType, Reply>({
  schema,
  initialValues,
  toBody = (values) => values,
  draftName,
  send,
  onDone,
}: ContractFormOptions<Values, Schema, Reply>): ContractForm<Values, z.output<Schema>> {
  const [restored, setRestored] = useState(() => {
    const draft = draftName === undefined ? null : readFormDraft<Values>(sessionStorage, draftName)
    return draft && applyChangedValues(initialValues, draft)
  })
  const form = useForm<Values, unknown, z.output<Schema>>({
    defaultValues: initialValues as DefaultValues<Values>,
    ...(restored ? { values: restored, resetOptions: { keepDefaultValues: true } } : {}),
    resolver: createBodyResolver(schema, toBody),
  })
  // Only what was changed: the rest may have been changed by another person when the draft is read.
  const draft = useFormDraft(form, draftName, (values) => pickChangedValues(values, initialValues))
  // Not `form.watch`: the form must not render for each letter typed in a text input.
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const [problem, setProblem] = useState<Problem | null>(null)
  const isSending = useRef(false)
  const whileMounted = useWhileMounted()
  const { isDirty, isSubmitted, isSubmitting } = form.formState

  const discardDraft = () => {
    draft.discard()
    // At once: as long as the form has restored values, `reset` keeps the base from before them.
    flushSync(() => setRestored(null))
  }
  const sendBody = async (body: z.output<Schema>, element: HTMLFormElement, button: string) => {
    setProblem(null)
    try {
      const reply = await send(body, button)
      discardDraft()
      whileMounted(() => {
        // At once: the leave guard of unsaved input would ask about the navigation of `onDone`.
        flushSync(() => form.reset(form.getValues()))
        onDone?.(reply, body)
      })()
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      setProblem(showAtInputs(form, element, error.problem))
    }
  }
  const showInvalid = (element: HTMLFormElement) => {
    const { error } = schema.safeParse(toBody(form.getValues()))
    setProblem(error ? showAtInputs(form, element, toInvalidProblem('', error)) : null)
  }
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    const element = event.currentTarget
    const { submitter } = event.nativeEvent
    const button = submitter instanceof HTMLButtonElement ? submitter.value : ''
    if (isSending.current) return
    isSending.current = true
    try {
      await form.handleSubmit(
        (body) => sendBody(body, element, button),
        () => showInvalid(element),
      )(event)
    } finally {
      isSending.current = false
    }
  }

  const getError = (name: FieldPath<Values>) => form.getFieldState(name, form.formState).error?.message
  const setValue = <Name extends FieldPath<Values>>(name: Name, value: FieldPathValue<Values, Name>) => {
    form.setValue(name, value, { shouldDirty: true, shouldValidate: isSubmitted })
    redraw()
  }
  return {
    form,
    field: (name) => registerField(form, name),
    controlled: (name) => ({
      name,
      value: form.getValues(name),
      onChange: (value) => setValue(name, value),
      error: getError(name),
    }),
    checkbox: (name) => ({
      name,
      checked: Boolean(form.getValues(name)),
      onChange: ({ currentTarget: { checked } }) =>
        setValue(name, checked as FieldPathValue<Values, FieldPath<Values>>),
      error: getError(name),
    }),
    submit: (event) => void submit(event),
    isPending: isSubmitting,
    problem,
    isDirty,
    isUnsaved: isDirty && draftName === undefined,
    isDraftSaved: draft.isSaved,
    discard: () => {
      discardDraft()
      form.reset(initialValues)
      setProblem(null)
    },
  }
}

/** Shows the errors of a problem at the inputs of their fields. @returns the rest of it; null if there is none */
function showAtInputs<Values extends FieldValues, Body>(
  form: UseFormReturn<Values, unknown, Body>,
  element: HTMLFormElement,
  problem: Problem,
): Problem | null {
  const errors = (problem.fields ?? []).map(({ path, message }) => ({
    name: path.replace(/^body\.(data\.)?/, '') as FieldPath<Values>,
    message,
  }))
  const hasInput = (name: string) =>
    element.elements.namedItem(name) !== null ||
    (get(form.control._fields, name) as { _f?: { mount?: boolean } } | undefined)?._f?.mount === true
  const shown = errors.filter(({ name }) => hasInput(name))
  // The first error of a field wins.
  for (const { name, message } of shown.toReversed())
    form.setError(name, { type: 'body', message: formatFieldMessage(message) })
  if (shown.length === 0) return problem
  const fields = (problem.fields ?? []).filter((_, index) => !shown.includes(errors[index]!))
  const [first] = fields
  return first ? { ...problem, message: `${first.path} ${first.message}`, fields } : null
}
