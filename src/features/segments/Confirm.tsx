import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useWords } from '../../ui/words.ts'
import classes from './Editor.module.css'
import { segmentsWords } from './messages.ts'

export interface ConfirmProps {
  /** The question, which names the thing. */
  title: string
  /** What is lost, and what is kept. */
  what: string
  /** The deed, as it stands on its button. */
  deed: string
  icon: ReactNode
  onConfirm: () => void
}

/** A deed that is asked about once, where its button stands. The way out has the focus. */
export function Confirm({ title, what, deed, icon, onConfirm }: ConfirmProps) {
  const t = useWords(segmentsWords)
  const [isAsked, setAsked] = useState(false)
  if (!isAsked)
    return (
      <Button variant="subtle" color="gray" leftSection={icon} onClick={() => setAsked(true)}>
        {deed}
      </Button>
    )
  return (
    <div className={classes.confirm} role="alertdialog" aria-label={title}>
      <strong>{title}</strong>
      <p>{what}</p>
      <div className={classes.buttons}>
        <Button variant="default" autoFocus onClick={() => setAsked(false)}>
          {t('keepIt')}
        </Button>
        <Button
          color="red"
          onClick={() => {
            setAsked(false)
            onConfirm()
          }}
        >
          {deed}
        </Button>
      </div>
    </div>
  )
}
