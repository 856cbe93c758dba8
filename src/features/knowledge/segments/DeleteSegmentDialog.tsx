import type { ReactNode } from 'react'
import { DeleteDialog } from '../../../components/overlays/DeleteDialog.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import type { Problem } from '#contract/problem.ts'
import { segmentMessages } from './messages.ts'

export interface DeleteSegmentDialogProps {
  /** The question, which names the segment or the count. */
  title: string
  isPending?: boolean
  problem?: Problem | undefined
  /** What deleting would change. */
  children?: ReactNode
  onDelete: () => void
  onClose: () => void
}

/** Confirms that segments are deleted. */
export function DeleteSegmentDialog({
  title,
  isPending = false,
  problem,
  children,
  onDelete,
  onClose,
}: DeleteSegmentDialogProps) {
  const t = useMessages(segmentMessages)
  return (
    <DeleteDialog
      title={title}
      confirmLabel={t('delete')}
      cancelLabel={t('cancel')}
      isPending={isPending}
      problem={problem}
      action={t('changeWhat')}
      onDelete={onDelete}
      onClose={onClose}
      lost={[t('deleteLost')]}
      kept={[t('deleteKept')]}
    >
      {children}
    </DeleteDialog>
  )
}
