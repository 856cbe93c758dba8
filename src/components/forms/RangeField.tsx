import { Input } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './RangeField.module.css'

export interface RangeFieldProps {
  label: ReactNode
  description?: ReactNode
  error?: ReactNode
  /** The text in the field: a number from `min` to `max`, or empty for no value. */
  value: string
  onChange: (value: string) => void
  min?: number
  max?: number
  step?: number
  /** Labels for the two ends. */
  endLabels?: [string, string]
  /** Shown instead of a number if there is no value. */
  emptyLabel: string
  /** Label of the button that clears the value. */
  clearLabel: string
}

/** A fraction, set by slider or text field; empty leaves it to the platform. */
export function RangeField(props: RangeFieldProps) {
  const {
    label,
    description,
    error,
    value,
    onChange,
    min = 0,
    max = 1,
    step = 0.05,
    endLabels,
    emptyLabel,
    clearLabel,
  } = props
  const id = useId()
  return (
    <Input.Wrapper id={id} label={label} description={description} error={error}>
      <div className={classes.range}>
        {endLabels ? <span aria-hidden="true">{endLabels[0]}</span> : null}
        <input
          id={id}
          type="range"
          min={min}
          max={max}
          step={step}
          value={value === '' ? (min + max) / 2 : value}
          aria-valuetext={value === '' ? emptyLabel : value}
          data-empty={value === '' || undefined}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
        {endLabels ? <span aria-hidden="true">{endLabels[1]}</span> : null}
        <output htmlFor={id}>{value === '' ? emptyLabel : Number(value).toFixed(2)}</output>
        {value === '' ? null : (
          <button type="button" className={classes.clear} onClick={() => onChange('')}>
            {clearLabel}
          </button>
        )}
      </div>
    </Input.Wrapper>
  )
}
