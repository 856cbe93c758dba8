import { Drawer } from '@mantine/core'
import type { Key } from '#contract/console.ts'
import { contract } from '#contract/index.ts'
import { AnnotationForm } from '../../run/annotate/AnnotationForm.tsx'
import { IdChip } from '../../ui/IdChip.tsx'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './Annotations.module.css'
import { History } from './History.tsx'
import { annotationsWords } from './messages.ts'
import { useAnnotation } from './useAnnotation.ts'
import type { AnnotationRow } from './useAnnotations.ts'
import { useMay } from '../../wire/useMay.ts'
import { RoleNote } from '../../ui/RoleNote.tsx'

export interface AnnotationSheetProps {
  workspace: string
  app: Key
  /** Null for a new one. */
  annotation_id: string | null
  /** As the list has it; what is not on this page of it is looked up in the ledger. */
  row: AnnotationRow | null
  onClose: () => void
}

/** One annotation: edited where the platform offers that, else to be read; with its history, and the run it came from. */
export function AnnotationSheet({ workspace, app, annotation_id, row, onClose }: AnnotationSheetProps) {
  const t = useWords(annotationsWords)
  const { row: known, isPending } = useAnnotation(workspace, annotation_id, row)
  const may = useMay()
  const mayEdit = may(annotation_id === null ? contract.annotations.create : contract.adjacent.updateAnnotation)
  const canEdit = mayEdit && (annotation_id === null || app.offers.includes('updateAnnotation'))
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={560}
      title={t(annotation_id === null ? 'new' : canEdit ? 'edit' : 'look')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <div className={classes.sheet}>
        {annotation_id ? <IdChip id={annotation_id} whole /> : null}
        {annotation_id && !known ? (
          isPending ? (
            <SkeletonRows rows={4} height={40} />
          ) : (
            <p className={classes.note}>{t('notFound')}</p>
          )
        ) : canEdit ? (
          <AnnotationForm
            key={known?.id ?? 'new'}
            app={app.id}
            initial={{ question: known?.question ?? '', answer: known?.answer ?? '' }}
            annotation_id={annotation_id ?? undefined}
            draft={`annotation.${app.id}.${annotation_id ?? 'new'}`}
            onSaved={onClose}
            onCancel={onClose}
          />
        ) : (
          <>
            {mayEdit ? (
              <p className={classes.note}>{t('notEditable')}</p>
            ) : (
              <RoleNote entry={contract.annotations.create} />
            )}
            <h3>{t('question')}</h3>
            <p className={classes.text} dir="auto">
              {known?.question}
            </p>
            <h3>{t('answer')}</h3>
            <p className={classes.text} dir="auto">
              {known?.answer}
            </p>
          </>
        )}
        {annotation_id ? <History annotation_id={annotation_id} workspace={workspace} /> : null}
      </div>
    </Drawer>
  )
}
