import { useNavigate } from 'react-router'
import { idLookupEndpoints } from '#contract/console/resources.ts'
import type { Workspace } from '#contract/console/workspaces.ts'
import { optionalDatasetEndpoints } from '#contract/platform/optionalDatasets.ts'
import { paths } from '#domain/paths.ts'
import { DeleteDialog } from '../../../components/overlays/DeleteDialog.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead, useWrite } from '../../../client/query.ts'
import type { DatasetRecord } from '../useDataset.ts'
import { datasetMessages } from './messages.ts'

export interface DeleteDatasetProps {
  onClose: () => void
  dataset_id: string
  name: string
  record: DatasetRecord | null
  workspace: Workspace
  keyId: string
}

/** How many days back answers are searched for the dataset. */
const CITED_WITHIN_DAYS = 30

/** Confirms deleting a dataset, and explains what is deleted and what remains. */
export function DeleteDataset({ onClose, dataset_id, name, record, workspace, keyId }: DeleteDatasetProps) {
  const t = useMessages(datasetMessages)
  const navigate = useNavigate()
  const remove = useWrite(optionalDatasetEndpoints.deleteDataset)
  const { data: found } = useRead(idLookupEndpoints.listRetrievedDocuments, {
    query: { workspace: workspace.id, dataset: dataset_id, days: CITED_WITHIN_DAYS },
  })
  const apps = found?.apps.map((id) => workspace.keys.find((key) => key.id === id)?.label ?? id.slice(0, 8)) ?? []
  const submit = () =>
    remove.mutate(
      { key: keyId, params: { dataset_id } },
      { onSuccess: () => void navigate(paths.datasets({ workspace: workspace.id }), { replace: true }) },
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
    >
      <p>
        {t('deleteNotRefused')}{' '}
        {found ? t('deleteCitedBy', { days: CITED_WITHIN_DAYS, n: apps.length, apps: apps.join(', ') }) : null}
      </p>
    </DeleteDialog>
  )
}
