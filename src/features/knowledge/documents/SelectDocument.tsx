import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import classes from './Documents.module.css'

export interface SelectDocumentProps {
  label: string
  isSelected: boolean
  onToggle: () => void
}

/** Selects a row. The click shows at once: the table draws its rows a moment later. */
export function SelectDocument({ label, isSelected, onToggle }: SelectDocumentProps) {
  const [shown, setShown] = useState({ drawn: isSelected, isOn: isSelected })
  if (shown.drawn !== isSelected) setShown({ drawn: isSelected, isOn: isSelected })
  return (
    <Checkbox
      className={classes.select}
      aria-label={label}
      checked={shown.isOn}
      onChange={() => {
        setShown({ ...shown, isOn: !shown.isOn })
        onToggle()
      }}
    />
  )
}
