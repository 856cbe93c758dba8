import { useWords } from '../ui/words.ts'
import { FilesField } from './FilesField.tsx'
import { readEntries } from './files.ts'
import classes from './InputControl.module.css'
import { type Control, isJsonKind } from './inputs.ts'
import { runWords } from './messages.ts'
import type { UploadTarget } from './useUpload.ts'

export interface InputControlProps {
  control: Control
  value: string
  /** What is wrong with the value, in words. */
  fault: string | undefined
  onChange: (value: string) => void
  /** `chip`: short controls stand in one line. `field`: each has its name above and its words below. */
  layout?: 'chip' | 'field'
  /** Null where files cannot be uploaded. */
  upload?: UploadTarget | null
}

/** One field of the app's form. As chips, long ones, JSON and files take the whole width all the same. */
export function InputControl(props: InputControlProps) {
  const { control, fault, layout = 'chip' } = props
  const t = useWords(runWords)
  const { kind, variable, label, description, required, files } = control
  const isWide = layout === 'field' || kind === 'paragraph' || files !== null || isJsonKind(kind)
  const invalid = fault !== undefined || undefined
  if (!isWide)
    return (
      <label className={classes.chip} data-fault={invalid} title={label === variable ? undefined : label}>
        <span className={classes.chipName}>
          {variable}
          {required ? <span aria-hidden="true">*</span> : null}
        </span>
        <Field {...props} />
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
  const words = (
    <>
      {description ? <small>{description}</small> : null}
      {layout === 'field' && fault ? (
        <small className={classes.fault} role="alert">
          {fault}
        </small>
      ) : null}
    </>
  )
  // A label around several controls would name them all.
  if (files)
    return (
      <div className={classes.wide} data-layout={layout} data-fault={invalid}>
        {name}
        <Field {...props} />
        {words}
      </div>
    )
  return (
    <label className={classes.wide} data-layout={layout} data-fault={invalid} data-kind={kind}>
      {name}
      <Field {...props} />
      {words}
    </label>
  )
}

function Field({ control, value, fault, onChange, layout = 'chip', upload = null }: InputControlProps) {
  const t = useWords(runWords)
  const { kind, label, required, options, files } = control
  const shared = { 'aria-invalid': fault !== undefined, 'aria-required': required }
  if (files)
    return (
      <FilesField
        label={label}
        rule={files}
        entries={readEntries(value)}
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
