import { contract } from '#contract/index.ts'
import { DeleteDialog } from '../../ui/DeleteDialog.tsx'
import { useWords } from '../../ui/words.ts'
import { useWrite } from '../../wire/query.ts'
import { annotationsWords } from './messages.ts'
import type { AnnotationRow } from './useAnnotations.ts'

/** Asks before an annotation is deleted, and says what goes and what stays. */
export function DeleteAnnotation({ app, row, onClose }: { app: string; row: AnnotationRow; onClose: () => void }) {
  const t = useWords(annotationsWords)
  const remove = useWrite(contract.adjacent.deleteAnnotation)
  return (
    <DeleteDialog
      title={t('deleteTitle')}
      deed={t('deleteDo')}
      keep={t('deleteKeep')}
      isPending={remove.isPending}
      problem={remove.error?.problem}
      what={t('deleteWhat')}
      onDelete={() => remove.mutate({ key: app, params: { annotation_id: row.id } }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p dir="auto">
        <b>{row.question?.slice(0, 300) ?? row.id}</b>
      </p>
      <p>{t('deleteLost')}</p>
    </DeleteDialog>
  )
}
