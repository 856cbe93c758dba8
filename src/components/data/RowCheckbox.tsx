import { Checkbox } from '@mantine/core'
import { useState } from 'react'

export interface RowCheckboxProps {
  label: string
  isSelected: boolean
  onToggle: (options: { isRange: boolean }) => void
}

/** Selects a row; with Shift all rows from the last one. The click shows at once, before the table renders its rows. */
export function RowCheckbox({ label, isSelected, onToggle }: RowCheckboxProps) {
  const [shown, setShown] = useState({ drawn: isSelected, isOn: isSelected })
  if (shown.drawn !== isSelected) setShown({ drawn: isSelected, isOn: isSelected })
  return (
    <Checkbox
      pos="relative"
      w="max-content"
      style={{ zIndex: 1 }}
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
