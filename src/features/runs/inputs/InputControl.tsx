import { Suspense } from 'react'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { lazyWithPreload } from '../../../components/layout/lazyWithPreload.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { parseFileEntries } from './inputFiles.ts'
import classes from './InputControl.module.css'
import { type InputField, isJsonKind } from './inputFields.ts'
import { inputMessages } from './messages.ts'
import type { InputFilesFieldProps, UploadTarget } from './InputFilesField.tsx'

const InputFilesField = lazyWithPreload(async () => (await import('./InputFilesField.tsx')).InputFilesField)

export interface InputControlProps {
  field: InputField
  value: string
  /** The error message of the value. */
  error: string | undefined
  onChange: (value: string) => void
  /** `chip`: short controls share a row. `field`: the label is above and the help text below. */
  layout?: 'chip' | 'field'
  /** Null if uploads are not supported. */
  upload?: UploadTarget | null
}

/** One field of the app's form. Long texts, JSON and files take the full width even as chips. */
export function InputControl(props: InputControlProps) {
  const { field, error, layout = 'chip' } = props
  const t = useMessages(inputMessages)
  const { kind, variable, label, description, required, files } = field
  const isWide = layout === 'field' || kind === 'paragraph' || files !== null || isJsonKind(kind)
  const invalid = error !== undefined || undefined
  if (!isWide)
    return (
      <label className={classes.chip} data-fault={invalid} title={label === variable ? undefined : label}>
        <span className={classes.chipName}>
          {variable}
          {required ? <span aria-hidden="true">*</span> : null}
        </span>
        <InputElement {...props} />
      </label>
    )
  const name = (
    <span className={classes.name}>
      {label}
      {required ? <span aria-hidden="true"> *</span> : null}
      {label === variable ? null : <code>{variable}</code>}
      {isJsonKind(kind) ? <small>{t('asJson', { kind })}</small> : null}
    </span>
  )
  const hints = (
    <>
      {description ? <small>{description}</small> : null}
      {layout === 'field' && error ? (
        <small className={classes.fault} role="alert">
          {error}
        </small>
      ) : null}
    </>
  )
  // A label around several controls would name them all.
  if (files)
    return (
      <div className={classes.wide} data-layout={layout} data-fault={invalid}>
        {name}
        <InputElement {...props} />
        {hints}
      </div>
    )
  return (
    <label className={classes.wide} data-layout={layout} data-fault={invalid} data-kind={kind}>
      {name}
      <InputElement {...props} />
      {hints}
    </label>
  )
}

function InputElement({ field, value, error, onChange, layout = 'chip', upload = null }: InputControlProps) {
  const t = useMessages(inputMessages)
  const { kind, label, required, options, files } = field
  const shared = { 'aria-invalid': error !== undefined, 'aria-required': required }
  if (files)
    return (
      <LazyInputFilesField
        label={label}
        rule={files}
        entries={parseFileEntries(value)}
        onEntries={(entries) => onChange(entries.length === 0 ? '' : JSON.stringify(entries))}
        upload={upload}
      />
    )
  if (kind === 'paragraph' || isJsonKind(kind))
    return (
      <textarea
        {...shared}
        rows={layout === 'field' ? 4 : 2}
        data-json={isJsonKind(kind) || undefined}
        dir={isJsonKind(kind) ? undefined : 'auto'}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  if (kind === 'select')
    return (
      <select {...shared} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {required && value !== '' ? null : <option value="">{t('choose')}</option>}
        {value === '' || options.includes(value) ? null : <option>{value}</option>}
        {options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    )
  if (kind === 'checkbox')
    return (
      <input
        {...shared}
        type="checkbox"
        checked={value === 'true'}
        onChange={(event) => onChange(String(event.currentTarget.checked))}
      />
    )
  return (
    <input
      {...shared}
      type="text"
      inputMode={kind === 'number' ? 'decimal' : undefined}
      size={layout === 'chip' ? Math.min(28, Math.max(6, value.length + 1)) : undefined}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

/** The files of a variable, or of the message; its code loads when it is shown. */
export function LazyInputFilesField(props: InputFilesFieldProps) {
  return (
    <Suspense fallback={<SkeletonRows rows={1} height={30} />}>
      <InputFilesField {...props} />
    </Suspense>
  )
}
