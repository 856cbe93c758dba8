import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { Link, useParams } from 'react-router'
import { paths } from '#domain/paths.ts'
import { IdChip } from '../../../components/data/IdChip.tsx'
import { NoKnowledgeKey } from '../NoKnowledgeKey.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useDataset } from '../useDataset.ts'
import { useWorkspace } from '../../../client/useWorkspace.ts'
import { MetadataSettings } from '../metadata/MetadataSettings.tsx'
import { DatasetTags } from '../tags/DatasetTags.tsx'
import { DatasetSettings } from './DatasetSettings.tsx'
import { DeleteDataset } from './DeleteDataset.tsx'
import { datasetMessages } from './messages.ts'

/** The settings of a dataset (operation 2). */
export function DatasetSettingsPage() {
  const { dataset_id = '' } = useParams()
  const t = useMessages(datasetMessages)
  const current = useWorkspace()
  const { workspace, findKey } = current
  const knowledge = findKey('knowledge')
  const dataset = useDataset(dataset_id, workspace?.id, knowledge)
  const search = workspace ? { workspace: workspace.id } : {}
  const problem = current.problem ?? dataset.problem
  return (
    <Page
      title={t('settings')}
      breadcrumbs={
        <>
          <Link to={paths.datasets(search)}>{t('datasets')}</Link>
          <span aria-hidden="true">/</span>
          <Link to={paths.dataset(dataset_id, search)}>{dataset.name ?? dataset_id.slice(0, 8)}</Link>
          <span aria-hidden="true">/</span>
        </>
      }
      titleSuffix={<IdChip id={dataset_id} />}
      actions={
        workspace && knowledge?.offers.includes('deleteDataset') ? (
          <DeleteDataset
            dataset_id={dataset_id}
            name={dataset.name ?? dataset_id}
            record={dataset.record}
            workspace={workspace}
            keyId={knowledge.id}
          />
        ) : null
      }
    >
      <Stack maw={760} p="lg">
        {problem ? (
          <ProblemAlert
            problem={problem}
            action={t('readWhat')}
            onRetry={() => (current.problem ? current.retry() : dataset.retry())}
          >
            <Button variant="default" component={Link} to={paths.datasets(search)}>
              {t('toDatasets')}
            </Button>
          </ProblemAlert>
        ) : null}
        {dataset.seen && dataset.record ? (
          <Text fz="sm" c="dimmed">
            {t.rich('recordAge', { since: () => <RelativeTime at={dataset.seen} /> })}
          </Text>
        ) : null}
        {knowledge?.offers.includes('listTags') && dataset.record ? (
          <DatasetTags
            dataset_id={dataset_id}
            name={dataset.name ?? dataset_id.slice(0, 8)}
            record={dataset.record}
            knowledge={knowledge}
          />
        ) : null}
        {workspace && knowledge && dataset.isKnown ? (
          <DatasetSettings
            dataset_id={dataset_id}
            record={dataset.record}
            workspace={workspace.id}
            knowledge={knowledge}
          />
        ) : null}
        {workspace &&
        knowledge?.offers.includes('listMetadata') &&
        dataset.isKnown &&
        dataset.record?.provider !== 'external' ? (
          <MetadataSettings dataset_id={dataset_id} keyId={knowledge.id} workspace={workspace.id} />
        ) : null}
        {workspace && !knowledge ? (
          <NoKnowledgeKey workspace={workspace} title={t('noKeyTitle')}>
            {t('noKey')}
          </NoKnowledgeKey>
        ) : null}
        {!problem && !dataset.isKnown && (current.isLoading || knowledge) ? (
          <Skeleton height={320} animate={false} />
        ) : null}
      </Stack>
    </Page>
  )
}
