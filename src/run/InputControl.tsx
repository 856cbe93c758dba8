import { useTranslations } from 'use-intl'
import classes from './InputControl.module.css'
import { type Control, KNOWN_KINDS } from './inputs.ts'

export interface InputControlProps {
  control: Control
  value: string
  /** What is wrong with the value, in words. */
  fault: string | undefined
  onChange: (value: string) => void
}

/** One field of the app's form. Short ones are a chip in one line, long ones and JSON take the whole width. */
export function InputControl({ control, value, fault, onChange }: InputControlProps) {
  const t = useTranslations('run')
  const { kind, variable, label, required, options, max_length } = control
  if (kind === 'paragraph' || !KNOWN_KINDS.includes(kind)) {
    const isJson = kind !== 'paragraph'
    return (
      <label className={classes.wide} data-fault={fault !== undefined || undefined}>
        <span>
          {label}
          {required ? <span aria-hidden="true"> *</span> : null}
          {isJson ? <small> {t('asJson', { kind })}</small> : null}
        </span>
        <textarea
          rows={2}
          data-json={isJson || undefined}
          aria-invalid={fault !== undefined}
          aria-required={required}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      </label>
    )
  }
  const shared = {
    'aria-invalid': fault !== undefined,
    'aria-required': required,
    title: label === variable ? undefined : label,
  }
  return (
    <label className={classes.chip} data-fault={fault !== undefined || undefined}>
      <span className={classes.chipName}>
        {variable}
        {required ? <span aria-hidden="true">*</span> : null}
      </span>
      {kind === 'select' ? (
        <select {...shared} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          {options.includes(value) ? null : <option value={value}>{value || t('choose')}</option>}
          {options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      ) : kind === 'checkbox' ? (
        <input
          {...shared}
          type="checkbox"
          checked={value === 'true'}
          onChange={(event) => onChange(String(event.currentTarget.checked))}
        />
      ) : (
        <input
          {...shared}
          type="text"
          inputMode={kind === 'number' ? 'decimal' : undefined}
          maxLength={max_length ?? undefined}
          size={Math.min(28, Math.max(6, value.length + 1))}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </label>
  )
}
