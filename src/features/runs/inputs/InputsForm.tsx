import { ActionIcon, SegmentedControl } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { formatFieldError } from './formatFieldError.ts'
import { InputControl } from './InputControl.tsx'
import {
  toFieldView,
  toJsonView,
  type InputField,
  type FieldErrors,
  type FormValues,
  isExtraField,
  JSON_VIEW_KEY,
} from './inputFields.ts'
import classes from './InputsForm.module.css'
import { inputMessages } from './messages.ts'
import { PendingUploadsContext, usePendingUploads } from './pendingUploads.ts'
import type { UploadTarget } from './useFileUpload.ts'

export interface InputsFormProps {
  fields: readonly InputField[]
  values: FormValues
  onChange: (filled: FormValues) => void
  errors: FieldErrors
  /** Null if uploads are not supported. */
  upload: UploadTarget | null
  layout?: 'chip' | 'field'
  /** Variables whose value differs from the previous run. */
  changed?: readonly string[]
}

/** The inputs of an app, as a form or as JSON with the same values. Errors are shown at their field. */
export function InputsForm(props: InputsFormProps) {
  const { fields, values, onChange, errors, upload, layout = 'field', changed = [] } = props
  const t = useMessages(inputMessages)
  const uploads = usePendingUploads()
  const isJson = values[JSON_VIEW_KEY] !== undefined
  const fieldValues = isJson ? toFieldView(fields, values) : values
  const getErrorText = (name: string) => errors[name] && formatFieldError(t, errors[name])
  const draw = (control: InputField) => (
    <div
      key={control.variable}
      className={classes.control}
      data-changed={changed.includes(control.variable) || undefined}
    >
      <InputControl
        field={control}
        value={values[control.variable] ?? control.initial}
        error={getErrorText(control.variable)}
        onChange={(value) => onChange({ ...values, [control.variable]: value })}
        layout={layout}
        upload={upload}
      />
    </div>
  )
  const hidden = fields.filter((control) => control.hidden)
  const view = (
    <SegmentedControl
      size="xs"
      aria-label={t('inputsView')}
      value={isJson ? 'json' : 'form'}
      // Text that is not a JSON object has no form: it stays in the JSON view for correction. A file that is uploaded
      // after the switch would replace the JSON.
      disabled={isJson ? fieldValues === null : uploads.hasPending}
      onChange={(value) => {
        if (value === 'json' && !isJson) onChange(toJsonView(fields, values))
        if (value === 'form' && fieldValues) onChange(fieldValues)
      }}
      data={[
        { value: 'form', label: t('asForm') },
        { value: 'json', label: t('asText') },
      ]}
    />
  )
  if (isJson)
    return (
      <div className={classes.form} data-layout="field">
        <div className={classes.view}>{view}</div>
        <textarea
          className={classes.json}
          aria-label={t('inputsJson')}
          aria-invalid={Object.keys(errors).length > 0}
          spellCheck={false}
          rows={8}
          value={values[JSON_VIEW_KEY]}
          onChange={(event) => onChange({ [JSON_VIEW_KEY]: event.currentTarget.value })}
        />
        {Object.entries(errors).map(([name, error]) => (
          <p key={name} className={classes.fault} role="alert">
            {formatFieldError(t, error)}
          </p>
        ))}
      </div>
    )
  return (
    <div className={classes.form} data-layout={layout}>
      <div className={classes.view}>{view}</div>
      {fields.length === 0 ? <p className={classes.note}>{t('noForm')}</p> : null}
      <PendingUploadsContext value={uploads.note}>
        {fields.filter((control) => !control.hidden).map(draw)}
        {Object.keys(values)
          .filter(isExtraField)
          .map((name) => (
            <ExtraField
              key={name}
              name={name}
              text={values[name] ?? ''}
              error={getErrorText(name)}
              onText={(text) => onChange({ ...values, [name]: text })}
              onRemove={() => onChange(Object.fromEntries(Object.entries(values).filter(([one]) => one !== name)))}
            />
          ))}
        {hidden.length > 0 ? (
          <details className={classes.hidden} open={hidden.some(({ variable }) => errors[variable]) || undefined}>
            <summary>{t('hiddenInputs')}</summary>
            <div className={classes.form} data-layout={layout}>
              {hidden.map(draw)}
            </div>
          </details>
        ) : null}
      </PendingUploadsContext>
    </div>
  )
}

interface ExtraFieldProps {
  name: string
  text: string
  error: string | undefined
  onText: (text: string) => void
  onRemove: () => void
}

/** A variable of an earlier request that the form does not define. */
function ExtraField({ name, text, error, onText, onRemove }: ExtraFieldProps) {
  const t = useMessages(inputMessages)
  const variable = name.slice(1)
  return (
    <div className={classes.beyond}>
      <span>
        <code>{variable}</code> <small>{t('beyondForm')}</small>
        <ActionIcon size={24} aria-label={t('leaveOut', { variable })} onClick={onRemove}>
          <IconX size={14} />
        </ActionIcon>
      </span>
      <textarea
        className={classes.json}
        aria-label={variable}
        aria-invalid={error !== undefined}
        rows={2}
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
      />
      {error ? (
        <p className={classes.fault} role="alert">
          {error}
        </p>
      ) : null}
    </div>
  )
}
