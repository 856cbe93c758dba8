import { Button, Skeleton } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { paths } from '../../paths.ts'
import { Empty } from '../../ui/Empty.tsx'
import { IdChip } from '../../ui/IdChip.tsx'
import { Page } from '../../ui/Page.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { Since } from '../../ui/Since.tsx'
import { useWords } from '../../ui/words.ts'
import { useDataset } from '../../wire/useDataset.ts'
import { useWorkspace } from '../../wire/useWorkspace.ts'
import classes from './Datasets.module.css'
import { DatasetSettings } from './DatasetSettings.tsx'
import { DeleteDataset } from './DeleteDataset.tsx'
import { datasetsWords } from './messages.ts'

/** The settings of a dataset (operation 2). */
export function DatasetSettingsPage() {
  const { dataset_id = '' } = useParams()
  return <Settings key={dataset_id} dataset_id={dataset_id} />
}

function Settings({ dataset_id }: { dataset_id: string }) {
  const t = useWords(datasetsWords)
  const current = useWorkspace()
  const { workspace, keyOf } = current
  const knowledge = keyOf('knowledge')
  const dataset = useDataset(dataset_id, workspace?.id, knowledge)
  const [isDeleting, setDeleting] = useState(false)
  const search = workspace ? { workspace: workspace.id } : {}
  const problem = current.problem ?? dataset.problem
  return (
    <Page
      title={t('settings')}
      crumbs={
        <>
          <Link to={paths.datasets(search)}>{t('title')}</Link>
          <span aria-hidden="true">/</span>
          <Link to={paths.dataset(dataset_id, search)}>{dataset.name ?? dataset_id.slice(0, 8)}</Link>
          <span aria-hidden="true">/</span>
        </>
      }
      beside={<IdChip id={dataset_id} />}
      actions={
        knowledge?.offers.includes('deleteDataset') ? (
          <Button variant="default" leftSection={<IconTrash size={14} />} onClick={() => setDeleting(true)}>
            {t('delete')}
          </Button>
        ) : null
      }
    >
      <div className={classes.settings}>
        {problem ? (
          <ProblemNote
            problem={problem}
            what={t('readWhat')}
            onRetry={() => (current.problem ? current.retry() : dataset.retry())}
          >
            <Button variant="default" component={Link} to={paths.datasets(search)}>
              {t('toDatasets')}
            </Button>
          </ProblemNote>
        ) : null}
        {dataset.seen && dataset.record ? (
          <p className={classes.age}>{t.rich('recordAge', { since: () => <Since at={dataset.seen} ago /> })}</p>
        ) : null}
        {workspace && knowledge && dataset.isKnown ? (
          <DatasetSettings
            dataset_id={dataset_id}
            record={dataset.record}
            workspace={workspace.id}
            knowledge={knowledge}
          />
        ) : null}
        {workspace && !knowledge ? <Empty title={t('noKeyTitle')}>{t('noKey')}</Empty> : null}
        {!problem && !dataset.isKnown && (current.isLoading || knowledge) ? (
          <Skeleton height={320} animate={false} />
        ) : null}
      </div>
      {isDeleting && workspace && knowledge ? (
        <DeleteDataset
          onClose={() => setDeleting(false)}
          dataset_id={dataset_id}
          name={dataset.name ?? dataset_id}
          record={dataset.record}
          workspace={workspace.id}
          keyId={knowledge.id}
        />
      ) : null}
    </Page>
  )
}
