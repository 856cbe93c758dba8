import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import classes from '../Documents.module.css'

export interface SelectDocumentProps {
  label: string
  isSelected: boolean
  onToggle: (options: { isRange: boolean }) => void
}

/** Selects a row; with Shift all rows from the last one. The click shows at once: the table draws its rows a moment later. */
export function SelectDocument({ label, isSelected, onToggle }: SelectDocumentProps) {
  const [shown, setShown] = useState({ drawn: isSelected, isOn: isSelected })
  if (shown.drawn !== isSelected) setShown({ drawn: isSelected, isOn: isSelected })
  return (
    <Checkbox
      className={classes.select}
      aria-label={label}
      checked={shown.isOn}
      onChange={({ nativeEvent }) => {
        const isRange = nativeEvent instanceof MouseEvent && nativeEvent.shiftKey
        setShown({ ...shown, isOn: isRange || !shown.isOn })
        onToggle({ isRange })
      }}
    />
  )
}
