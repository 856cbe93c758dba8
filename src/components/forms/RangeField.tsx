import { Input, TextInput } from '@mantine/core'
import { type CSSProperties, type ReactNode, useId } from 'react'
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

/** A fraction, set by slider or as a number; without a value the slider has no thumb, and the platform decides. */
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
  // A number that is being typed may be outside the scale for a moment.
  const hasThumb = value.trim() !== '' && Number(value) >= min && Number(value) <= max
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
          value={hasThumb ? value : min}
          aria-valuetext={value === '' ? emptyLabel : value}
          data-empty={!hasThumb || undefined}
          style={{ '--filled': `${((Number(value) - min) / (max - min)) * 100}%` } as CSSProperties}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
        {endLabels ? <span aria-hidden="true">{endLabels[1]}</span> : null}
        {/* With a wrapper of its own: the outer one gives its fields the id of the slider. */}
        <TextInput
          id={`${id}-number`}
          className={classes.number}
          inputMode="decimal"
          autoComplete="off"
          aria-labelledby={`${id}-label`}
          aria-invalid={error ? true : undefined}
          placeholder={emptyLabel}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
        <button
          type="button"
          className={classes.clear}
          data-clears
          onClick={() => onChange('')}
          aria-hidden={value === '' || undefined}
          tabIndex={value === '' ? -1 : undefined}
          data-empty={value === '' || undefined}
        >
          {clearLabel}
        </button>
      </div>
    </Input.Wrapper>
  )
}
