import { Button, Modal } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { contract } from '#contract/index.ts'
import fields from '../../ui/fields/Fields.module.css'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useWrite } from '../../wire/query.ts'

export interface DeleteConversationProps {
  app: string
  conversation: string
  name: string
  /** The user that the conversation belongs to; the platform finds it under no other. */
  user: string
  onClose: () => void
  onDeleted: () => void
}

/** Asks before the platform deletes a conversation, and says what goes and what stays. */
export function DeleteConversation(props: DeleteConversationProps) {
  const { app, conversation, name, user, onClose, onDeleted } = props
  const t = useTranslations('chat')
  const remove = useWrite(contract.adjacent.deleteConversation)
  const submit = () =>
    remove.mutate({ key: app, params: { conversation_id: conversation }, body: { user } }, { onSuccess: onDeleted })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('deleteTitle', { name })}
      closeButtonProps={{ 'aria-label': t('deleteClose') }}
    >
      <div className={fields.text}>
        <p>{t('deleteLost', { user })}</p>
        <p>{t('deleteKept')}</p>
      </div>
      {remove.error ? <ProblemNote problem={remove.error.problem} what={t('deleteWhat')} /> : null}
      <div className={fields.buttons}>
        <Button color="red" variant="default" loading={remove.isPending} onClick={submit}>
          {t('deleteDo')}
        </Button>
        <Button onClick={onClose} data-autofocus>
          {t('deleteKeep')}
        </Button>
      </div>
    </Modal>
  )
}
