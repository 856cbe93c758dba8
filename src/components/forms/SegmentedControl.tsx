import { useId } from 'react'
import classes from './SegmentedControl.module.css'

export interface SegmentedControlProps<Value extends string> {
  'aria-label': string
  value: Value
  data: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
  size?: 'xs' | 'sm'
  fullWidth?: boolean
  disabled?: boolean
  className?: string | undefined
}

/**
 * A choice between a few options, side by side. Mantine's measures the position of its indicator, which causes a
 * second layout.
 */
export function SegmentedControl<Value extends string>(props: SegmentedControlProps<Value>) {
  const { value, data, onChange, size = 'sm', fullWidth = false, disabled = false, className = '' } = props
  const name = useId()
  return (
    <div
      role="radiogroup"
      aria-label={props['aria-label']}
      className={`${classes.control} ${className}`}
      data-size={size}
      data-full={fullWidth || undefined}
    >
      {data.map((one) => (
        <label key={one.value} className={classes.choice}>
          <input
            type="radio"
            name={name}
            value={one.value}
            checked={one.value === value}
            disabled={disabled}
            onChange={() => onChange(one.value)}
          />
          <span>{one.label}</span>
        </label>
      ))}
    </div>
  )
}
