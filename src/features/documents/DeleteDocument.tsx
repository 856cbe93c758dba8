import { Button, Modal } from '@mantine/core'
import { useTranslations } from 'use-intl'
import type { DocumentRecord } from '#contract/records.ts'
import { contract } from '#contract/index.ts'
import fields from '../../ui/fields/Fields.module.css'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useWrite } from '../../wire/query.ts'
import { useHistory } from './useHistory.ts'

export interface DeleteDocumentProps {
  document: DocumentRecord
  dataset_id: string
  keyId: string
  workspace: string
  onClose: () => void
}

/** Asks before a document is deleted, and says what goes and what stays. */
export function DeleteDocument({ document, dataset_id, keyId, workspace, onClose }: DeleteDocumentProps) {
  const t = useTranslations('documents')
  const remove = useWrite(contract.adjacent.deleteDocument)
  const { edits, text } = useHistory(document.id, workspace)
  const submit = () =>
    remove.mutate({ key: keyId, params: { dataset_id, document_id: document.id } }, { onSuccess: onClose })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('deleteTitle', { name: document.name ?? document.id })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <div className={fields.text}>
        <p>{t('deleteLost')}</p>
        <ul>
          <li>{t('deleteWords', { n: document.word_count ?? -1 })}</li>
          <li>{t('deleteEdits', { n: edits.length })}</li>
        </ul>
        <p>{t(text === null ? 'deleteKeptNothing' : 'deleteKept')}</p>
      </div>
      {remove.error ? <ProblemNote problem={remove.error.problem} what={t('deleteWhat')} /> : null}
      <div className={fields.buttons}>
        <Button variant="default" loading={remove.isPending} onClick={submit}>
          {t('deleteDo')}
        </Button>
        <Button onClick={onClose} data-autofocus>
          {t('deleteKeep')}
        </Button>
      </div>
    </Modal>
  )
}
