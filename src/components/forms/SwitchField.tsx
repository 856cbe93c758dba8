import { Switch } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './SwitchField.module.css'

export interface SwitchFieldProps {
  label: ReactNode
  /** `true`, `false`, or empty where nothing is sent. */
  value: string
  onChange: (value: string) => void
  /** Shown next to the switch while it has no value. */
  emptyLabel: string
  /** Label of the button that clears the value. */
  clearLabel: string
}

/** A boolean of the interface, which may be left to the platform. */
export function SwitchField({ label, value, onChange, emptyLabel, clearLabel }: SwitchFieldProps) {
  return (
    <div className={classes.switch}>
      <Switch
        size="xs"
        label={label}
        checked={value === 'true'}
        onChange={(event) => onChange(String(event.currentTarget.checked))}
      />
      {value === '' ? (
        <span>{emptyLabel}</span>
      ) : (
        <button type="button" data-clears onClick={() => onChange('')}>
          {clearLabel}
        </button>
      )}
    </div>
  )
}
