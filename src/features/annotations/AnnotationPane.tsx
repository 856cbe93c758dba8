import { getRequiredAccess } from '#contract/permissions.ts'
import { annotationEndpoints } from '#contract/platform/annotations.ts'
import { optionalAnnotationEndpoints } from '#contract/platform/optionalAnnotations.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { AnnotationForm } from '../runs/annotate/AnnotationForm.tsx'
import { IdChip } from '../../components/data/IdChip.tsx'
import { SkeletonRows } from '../../components/layout/SkeletonRows.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import classes from './Annotations.module.css'
import { AnnotationHistory } from './AnnotationHistory.tsx'
import { annotationMessages } from './messages.ts'
import { useAnnotation } from './useAnnotation.ts'
import type { AnnotationRow } from './useAnnotations.ts'
import { usePermission } from '../../client/usePermission.ts'
import { PermissionNote } from '../../components/layout/PermissionNote.tsx'
import { SideDrawer } from '../../components/overlays/SideDrawer.tsx'

export interface AnnotationPaneProps {
  workspace: string
  app: Key
  /** Null for a new one. */
  annotation_id: string | null
  /** The row of the list; an annotation that is not on this page comes from the ledger. */
  row: AnnotationRow | null
  onClose: () => void
}

/** One annotation: editable if the platform supports it, else read-only; with its history and source run. */
export function AnnotationPane({ workspace, app, annotation_id, row, onClose }: AnnotationPaneProps) {
  const t = useMessages(annotationMessages)
  const { row: annotation, isPending } = useAnnotation(workspace, annotation_id, row)
  const can = usePermission()
  const hasEditPermission = can(
    annotation_id === null ? annotationEndpoints.create : optionalAnnotationEndpoints.updateAnnotation,
  )
  const canEdit = hasEditPermission && (annotation_id === null || app.offers.includes('updateAnnotation'))
  return (
    <SideDrawer title={t(annotation_id === null ? 'new' : canEdit ? 'edit' : 'viewTitle')} onClose={onClose}>
      <div className={classes.sheet}>
        {annotation_id ? <IdChip id={annotation_id} isFull /> : null}
        {annotation_id && !annotation ? (
          isPending ? (
            <SkeletonRows rows={4} height={40} />
          ) : (
            <p className={classes.note}>{t('notFound')}</p>
          )
        ) : canEdit ? (
          <AnnotationForm
            key={annotation?.id ?? 'new'}
            app={app.id}
            initial={{ question: annotation?.question ?? '', answer: annotation?.answer ?? '' }}
            annotation_id={annotation_id ?? undefined}
            draftName={`annotation.${app.id}.${annotation_id ?? 'new'}`}
            onSaved={onClose}
            onCancel={onClose}
          />
        ) : (
          <>
            {hasEditPermission ? (
              <p className={classes.note}>{t('notEditable')}</p>
            ) : (
              <PermissionNote {...getRequiredAccess(annotationEndpoints.create)} />
            )}
            <h3>{t('question')}</h3>
            <p className={classes.text} dir="auto">
              {annotation?.question}
            </p>
            <h3>{t('answer')}</h3>
            <p className={classes.text} dir="auto">
              {annotation?.answer}
            </p>
          </>
        )}
        {annotation_id ? <AnnotationHistory annotation_id={annotation_id} workspace={workspace} /> : null}
      </div>
    </SideDrawer>
  )
}
