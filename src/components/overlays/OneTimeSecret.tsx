import { Button, CopyButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { componentMessages } from '../i18n/messages.ts'
import classes from './OneTimeSecret.module.css'
import { useMessages } from '../i18n/useMessages.ts'

export interface OneTimeSecretProps {
  label: string
  value: string
  /** Next to the copy button. */
  children?: ReactNode
}

/** A secret that is shown once, complete, to be copied. */
export function OneTimeSecret({ label, value, children }: OneTimeSecretProps) {
  const t = useMessages(componentMessages)
  return (
    <div className={classes.told}>
      <div className={classes.value} role="textbox" aria-readonly="true" aria-label={label} tabIndex={0}>
        {value}
      </div>
      <div className={classes.actions}>
        <CopyButton value={value} timeout={1500}>
          {({ copied, copy }) => <Button onClick={copy}>{t(copied ? 'copied' : 'copy')}</Button>}
        </CopyButton>
        {children}
      </div>
    </div>
  )
}
