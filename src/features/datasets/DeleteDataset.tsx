import { Button, Modal } from '@mantine/core'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { contract } from '#contract/index.ts'
import { paths } from '../../paths.ts'
import fields from '../../ui/fields/Fields.module.css'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useWrite } from '../../wire/query.ts'
import type { DatasetRecord } from '../../wire/useDataset.ts'

export interface DeleteDatasetProps {
  opened: boolean
  onClose: () => void
  dataset_id: string
  name: string
  record: DatasetRecord | null
  workspace: string
  keyId: string
}

/** Asks before a dataset is deleted, and says what goes and what stays. */
export function DeleteDataset({ opened, onClose, dataset_id, name, record, workspace, keyId }: DeleteDatasetProps) {
  const t = useTranslations('datasets')
  const navigate = useNavigate()
  const remove = useWrite(contract.adjacent.deleteDataset)
  const submit = () =>
    remove.mutate(
      { key: keyId, params: { dataset_id } },
      { onSuccess: () => void navigate(paths.datasets({ workspace }), { replace: true }) },
    )
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('deleteTitle', { name })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <div className={fields.text}>
        <p>{t('deleteLost')}</p>
        <ul>
          <li>{t('deleteDocuments', { n: record?.document_count ?? -1 })}</li>
          <li>{t('deleteChunks')}</li>
          <li>{t('deleteApps', { n: record?.app_count ?? -1 })}</li>
        </ul>
        <p>{t('deleteKept')}</p>
      </div>
      {remove.error ? <ProblemNote problem={remove.error.problem} what={t('deleteWhat')} /> : null}
      <div className={fields.buttons}>
        <Button color="red" variant="default" loading={remove.isPending} onClick={submit}>
          {t('deleteDo', { n: record?.document_count ?? -1 })}
        </Button>
        <Button onClick={onClose} data-autofocus>
          {t('deleteKeep')}
        </Button>
      </div>
    </Modal>
  )
}
