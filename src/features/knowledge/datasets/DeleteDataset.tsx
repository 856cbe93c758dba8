import { useNavigate } from 'react-router'
import { optionalDatasetEndpoints } from '#contract/platform/optionalDatasets.ts'
import { paths } from '#domain/paths.ts'
import { DeleteDialog } from '../../../components/overlays/DeleteDialog.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useWrite } from '../../../client/query.ts'
import type { DatasetRecord } from '../useDataset.ts'
import { datasetMessages } from './messages.ts'

export interface DeleteDatasetProps {
  onClose: () => void
  dataset_id: string
  name: string
  record: DatasetRecord | null
  workspace: string
  keyId: string
}

/** Confirms deleting a dataset, and explains what is deleted and what remains. */
export function DeleteDataset({ onClose, dataset_id, name, record, workspace, keyId }: DeleteDatasetProps) {
  const t = useMessages(datasetMessages)
  const navigate = useNavigate()
  const remove = useWrite(optionalDatasetEndpoints.deleteDataset)
  const submit = () =>
    remove.mutate(
      { key: keyId, params: { dataset_id } },
      { onSuccess: () => void navigate(paths.datasets({ workspace }), { replace: true }) },
    )
  return (
    <DeleteDialog
      title={t('deleteTitle', { name })}
      confirmLabel={t('deleteDo', { n: record?.document_count ?? -1 })}
      cancelLabel={t('deleteKeep')}
      isPending={remove.isPending}
      problem={remove.error?.problem}
      action={t('deleteWhat')}
      onDelete={submit}
      onClose={onClose}
      lost={[
        ...(record?.document_count === 0
          ? []
          : [t('deleteDocuments', { n: record?.document_count ?? -1 }), t('deleteChunks')]),
        ...(record?.app_count === 0 ? [] : [t('deleteApps', { n: record?.app_count ?? -1 })]),
      ]}
      kept={[t('deleteKept')]}
    />
  )
}
