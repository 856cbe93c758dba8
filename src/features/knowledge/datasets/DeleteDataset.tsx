import { useNavigate } from 'react-router'
import { idLookupEndpoints } from '#contract/console/resources.ts'
import type { Workspace } from '#contract/console/workspaces.ts'
import { optionalDatasetEndpoints } from '#contract/platform/optionalDatasets.ts'
import { paths } from '#domain/paths.ts'
import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useDeleteDialog } from '../../../components/overlays/useDeleteDialog.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead, useWrite } from '../../../client/query.ts'
import type { DatasetRecord } from '../useDataset.ts'
import { datasetMessages } from './messages.ts'

export interface DeleteDatasetProps {
  dataset_id: string
  name: string
  record: DatasetRecord | null
  workspace: Workspace
  keyId: string
}

export function DeleteDataset({ dataset_id, name, record, workspace, keyId }: DeleteDatasetProps) {
  const t = useMessages(datasetMessages)
  const navigate = useNavigate()
  const openDelete = useDeleteDialog()
  const remove = useWrite(optionalDatasetEndpoints.deleteDataset, {
    onDone: () => void navigate(paths.datasets({ workspace: workspace.id }), { replace: true }),
  })
  const n = record?.document_count ?? -1
  const askDelete = () =>
    openDelete({
      title: t('deleteTitle', { name }),
      children: <CitingApps dataset_id={dataset_id} workspace={workspace} />,
      lost: [
        ...(n === 0 ? [] : [t('deleteDocuments', { n }), t('deleteChunks')]),
        ...(record?.app_count === 0 ? [] : [t('deleteApps', { n: record?.app_count ?? -1 })]),
      ],
      kept: [t('deleteKept')],
      confirmLabel: t('deleteDo', { n }),
      cancelLabel: t('deleteKeep'),
      action: t('deleteWhat'),
      run: () => remove.mutateAsync({ key: keyId, params: { dataset_id } }),
    })
  return (
    <Button variant="default" leftSection={<IconTrash size={14} />} onClick={askDelete}>
      {t('delete')}
    </Button>
  )
}

/** How many days back answers are searched for the dataset. */
const CITED_WITHIN_DAYS = 30

function CitingApps({ dataset_id, workspace }: Pick<DeleteDatasetProps, 'dataset_id' | 'workspace'>) {
  const t = useMessages(datasetMessages)
  const { data } = useRead(idLookupEndpoints.listRetrievedDocuments, {
    query: { workspace: workspace.id, dataset: dataset_id, days: CITED_WITHIN_DAYS },
  })
  const apps = data?.apps.map((id) => workspace.keys.find((key) => key.id === id)?.label ?? id.slice(0, 8)) ?? []
  return (
    <p>
      {t('deleteNotRefused')}{' '}
      {data ? t('deleteCitedBy', { days: CITED_WITHIN_DAYS, n: apps.length, apps: apps.join(', ') }) : null}
    </p>
  )
}
