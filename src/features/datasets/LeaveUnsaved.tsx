import { Button, Modal } from '@mantine/core'
import fields from '../../ui/fields/Fields.module.css'
import type { LeaveGuard } from '../../ui/useLeaveGuard.ts'
import { useWords } from '../../ui/words.ts'
import { datasetsWords } from './messages.ts'

/** Asked where a link would leave the form with something unsaved. */
export function LeaveUnsaved({ guard }: { guard: LeaveGuard }) {
  const t = useWords(datasetsWords)
  return (
    <Modal
      opened={guard.going !== null}
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
