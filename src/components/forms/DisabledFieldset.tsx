import type { ReactNode } from 'react'
import classes from './DisabledFieldset.module.css'

/** Makes fields read-only: the browser disables every control within. */
export const DisabledFieldset = ({ isDisabled, children }: { isDisabled: boolean; children: ReactNode }) => (
  <fieldset className={classes.locked} disabled={isDisabled}>
    {children}
  </fieldset>
)
