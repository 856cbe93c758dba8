import { Button, Modal } from '@mantine/core'
import fields from '../../../components/forms/Fields.module.css'
import type { LeaveGuard } from '../../../components/hooks/useLeaveGuard.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { datasetMessages } from './messages.ts'

/** Asked where a link would leave the form with something unsaved. */
export function UnsavedChangesDialog({ guard }: { guard: LeaveGuard }) {
  const t = useMessages(datasetMessages)
  return (
    <Modal
      opened={guard.pendingPath !== null}
      onClose={guard.stay}
      title={t('leaveTitle')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <p className={fields.text}>{t('leaveText')}</p>
      <div className={fields.buttons}>
        <Button onClick={guard.leave} variant="default">
          {t('leaveDo')}
        </Button>
        <Button onClick={guard.stay} data-autofocus>
          {t('leaveStay')}
        </Button>
      </div>
    </Modal>
  )
}
