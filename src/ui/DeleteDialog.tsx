import { Button, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Problem } from '#contract/problem.ts'
import fields from './fields/Fields.module.css'
import { uiWords } from './messages.ts'
import { ProblemNote } from './ProblemNote.tsx'
import { useWords } from './words.ts'

export interface DeleteDialogProps {
  /** The question, which names the thing. */
  title: string
  /** What is lost, with counts, and what is kept. */
  children: ReactNode
  /** The deed and the way out, as they stand on their buttons. */
  deed: string
  keep: string
  isPending: boolean
  problem: Problem | undefined
  /** What was tried, as the words after "to". */
  what: string
  onDelete: () => void
  onClose: () => void
}

/** Asks before something is deleted at the platform. The way out has the focus. */
export function DeleteDialog(props: DeleteDialogProps) {
  const { title, children, deed, keep, isPending, problem, what, onDelete, onClose } = props
  const t = useWords(uiWords)
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t('close') }}>
      <div className={fields.text}>{children}</div>
      {problem ? <ProblemNote problem={problem} what={what} /> : null}
      <div className={fields.buttons}>
        <Button color="red" variant="default" loading={isPending} onClick={onDelete}>
          {deed}
        </Button>
        <Button onClick={onClose} data-autofocus>
          {keep}
        </Button>
      </div>
    </Modal>
  )
}
