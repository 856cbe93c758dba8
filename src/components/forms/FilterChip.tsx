import type { ReactNode } from 'react'
import classes from './FilterChip.module.css'

export interface FilterChipProps {
  isPressed: boolean
  onClick: () => void
  children: ReactNode
}

/** One of several buttons in a row that choose what a list shows. */
export const FilterChip = ({ isPressed, onClick, children }: FilterChipProps) => (
  <button type="button" className={classes.chip} aria-pressed={isPressed} onClick={onClick}>
    {children}
  </button>
)
