import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { DeleteDialog } from '../../../components/overlays/DeleteDialog.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { segmentMessages } from './messages.ts'

export interface ConfirmButtonProps {
  /** The question, which names the resource. */
  title: string
  /** What is lost, and what is kept. */
  lost: readonly ReactNode[]
  kept: readonly ReactNode[]
  /** The label of the button that asks, and of the one that confirms. */
  label: string
  confirmLabel: string
  icon: ReactNode
  onConfirm: () => void
}

/** An action behind a confirmation. Its failure is shown where it was started. */
export function ConfirmButton({ title, lost, kept, label, confirmLabel, icon, onConfirm }: ConfirmButtonProps) {
  const t = useMessages(segmentMessages)
  const [isConfirming, setConfirming] = useState(false)
  return (
    <>
      <Button variant="subtle" color="gray" leftSection={icon} onClick={() => setConfirming(true)}>
        {label}
      </Button>
      {isConfirming ? (
        <DeleteDialog
          title={title}
          lost={lost}
          kept={kept}
          confirmLabel={confirmLabel}
          cancelLabel={t('cancel')}
          isPending={false}
          problem={undefined}
          action={t('changeWhat')}
          onDelete={() => {
            setConfirming(false)
            onConfirm()
          }}
          onClose={() => setConfirming(false)}
        />
      ) : null}
    </>
  )
}
