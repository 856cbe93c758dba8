import { type Tag, optionalTagEndpoints } from '#contract/platform/optionalTags.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { DeleteDialog } from '../../../components/overlays/DeleteDialog.tsx'
import { useWrite } from '../../../client/query.ts'
import { tagMessages } from './messages.ts'

export interface DeleteTagProps {
  tag: Tag
  keyId: string
  onClose: () => void
}

/** Confirms deleting a tag, and says how many datasets lose it. */
export function DeleteTag({ tag, keyId, onClose }: DeleteTagProps) {
  const t = useMessages(tagMessages)
  const remove = useWrite(optionalTagEndpoints.deleteTag)
  const n = Number(tag.binding_count ?? 0)
  return (
    <DeleteDialog
      title={t('deleteQuestion', { tag: tag.name })}
      confirmLabel={t('deleteDo', { n })}
      cancelLabel={t('keep')}
      isPending={remove.isPending}
      problem={remove.error?.problem}
      action={t('deleteWhat')}
      onDelete={() => remove.mutate({ key: keyId, body: { tag_id: tag.id } }, { onSuccess: onClose })}
      onClose={onClose}
      lost={[t('deleteLost', { n })]}
      kept={[t('deleteKept')]}
    />
  )
}
