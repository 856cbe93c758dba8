import { Button, Modal } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { contract } from '#contract/index.ts'
import fields from '../../ui/fields/Fields.module.css'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useWrite } from '../../wire/query.ts'
import type { AnnotationRow } from './useAnnotations.ts'

/** Asks before an annotation is deleted, and says what goes and what stays. */
export function DeleteAnnotation({ app, row, onClose }: { app: string; row: AnnotationRow; onClose: () => void }) {
  const t = useTranslations('annotations')
  const remove = useWrite(contract.adjacent.deleteAnnotation)
  const submit = () => remove.mutate({ key: app, params: { annotation_id: row.id } }, { onSuccess: onClose })
  return (
    <Modal opened onClose={onClose} title={t('deleteTitle')} closeButtonProps={{ 'aria-label': t('close') }}>
      <div className={fields.text}>
        <p dir="auto">
          <b>{row.question?.slice(0, 300) ?? row.id}</b>
        </p>
        <p>{t('deleteLost')}</p>
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
