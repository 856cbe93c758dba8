import { optionalAnnotationEndpoints } from '#contract/platform/optionalAnnotations.ts'
import { DeleteDialog } from '../../components/overlays/DeleteDialog.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { useWrite } from '../../client/query.ts'
import { annotationMessages } from './messages.ts'
import type { AnnotationRow } from './useAnnotations.ts'
import { truncateText } from '#contract/truncatedText.ts'

/** Confirms deleting an annotation, and explains what is deleted and what remains. */
export function DeleteAnnotation({ app, row, onClose }: { app: string; row: AnnotationRow; onClose: () => void }) {
  const t = useMessages(annotationMessages)
  const remove = useWrite(optionalAnnotationEndpoints.deleteAnnotation)
  return (
    <DeleteDialog
      title={t('deleteTitle')}
      confirmLabel={t('deleteDo')}
      cancelLabel={t('cancel')}
      isPending={remove.isPending}
      problem={remove.error?.problem}
      action={t('deleteWhat')}
      onDelete={() => remove.mutate({ key: app, params: { annotation_id: row.id } }, { onSuccess: onClose })}
      onClose={onClose}
      lost={[t('deleteLost')]}
      kept={[t('deleteKept')]}
    >
      <p dir="auto">
        <b>{truncateText(row.question ?? row.id, 300)}</b>
      </p>
    </DeleteDialog>
  )
}
