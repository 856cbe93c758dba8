import { optionalMessageEndpoints } from '#contract/platform/optionalMessages.ts'
import { DeleteDialog } from '../../../../components/overlays/DeleteDialog.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { useWrite } from '../../../../client/query.ts'
import { chatMessages } from '../messages.ts'

export interface DeleteConversationProps {
  app: string
  conversation: string
  name: string
  /** The owner of the conversation; the platform finds it under no other user. */
  user: string
  onClose: () => void
  onDeleted: () => void
}

/** Confirms deleting a conversation on the platform, and explains what is deleted and what remains. */
export function DeleteConversation(props: DeleteConversationProps) {
  const { app, conversation, name, user, onClose, onDeleted } = props
  const t = useMessages(chatMessages)
  const remove = useWrite(optionalMessageEndpoints.deleteConversation)
  const submit = () =>
    remove.mutate({ key: app, params: { conversation_id: conversation }, body: { user } }, { onSuccess: onDeleted })
  return (
    <DeleteDialog
      title={t('deleteTitle', { name })}
      confirmLabel={t('deleteDo')}
      cancelLabel={t('cancel')}
      isPending={remove.isPending}
      problem={remove.error?.problem}
      action={t('deleteWhat')}
      onDelete={submit}
      onClose={onClose}
      lost={[t('deleteLost', { user })]}
      kept={[t('deleteKept')]}
    />
  )
}
