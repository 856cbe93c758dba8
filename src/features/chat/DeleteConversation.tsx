import { contract } from '#contract/index.ts'
import { DeleteDialog } from '../../ui/DeleteDialog.tsx'
import { useWords } from '../../ui/words.ts'
import { useWrite } from '../../wire/query.ts'
import { chatWords } from './messages.ts'

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
  const t = useWords(chatWords)
  const remove = useWrite(contract.adjacent.deleteConversation)
  const submit = () =>
    remove.mutate({ key: app, params: { conversation_id: conversation }, body: { user } }, { onSuccess: onDeleted })
  return (
    <DeleteDialog
      title={t('deleteTitle', { name })}
      deed={t('deleteDo')}
      keep={t('deleteKeep')}
      isPending={remove.isPending}
      problem={remove.error?.problem}
      what={t('deleteWhat')}
      onDelete={submit}
      onClose={onClose}
    >
      <p>{t('deleteLost', { user })}</p>
      <p>{t('deleteKept')}</p>
    </DeleteDialog>
  )
}
