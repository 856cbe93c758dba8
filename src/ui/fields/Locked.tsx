import type { ReactNode } from 'react'
import classes from './Locked.module.css'

/** Fields that may be read and not changed while `when` holds: the browser disables every control within. */
export const Locked = ({ when, children }: { when: boolean; children: ReactNode }) => (
  <fieldset className={classes.locked} disabled={when}>
    {children}
  </fieldset>
)
