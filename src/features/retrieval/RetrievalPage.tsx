import { Button } from '@mantine/core'
import { Link, useParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { paths } from '../../paths.ts'
import { Empty } from '../../ui/Empty.tsx'
import { IdChip } from '../../ui/IdChip.tsx'
import { Page } from '../../ui/Page.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useDataset } from '../../wire/useDataset.ts'
import { useWorkspace } from '../../wire/useWorkspace.ts'
import { RetrievalTest } from './RetrievalTest.tsx'

/** A dataset searched by itself, where the platform offers it; else the way to a chat app that can be asked. */
export function RetrievalPage() {
  const t = useTranslations('retrieval')
  const { dataset_id = '' } = useParams()
  const { workspace, keyOf, problem, retry, isLoading } = useWorkspace()
  const key = keyOf('knowledge')
  const dataset = useDataset(dataset_id, workspace?.id)
  const inWorkspace = workspace ? { workspace: workspace.id } : {}
  return (
    <Page
      title={t('title')}
      crumbs={
        <>
          <Link to={paths.datasets(inWorkspace)}>{t('datasets')}</Link>
          <span aria-hidden="true">/</span>
          <Link to={paths.dataset(dataset_id, inWorkspace)}>{dataset.name ?? dataset_id.slice(0, 8)}</Link>
          <span aria-hidden="true">/</span>
        </>
      }
      beside={<IdChip id={dataset_id} />}
    >
      {problem ? <ProblemNote problem={problem} onRetry={retry} /> : null}
      {key && workspace && key.offers.includes('retrieve') ? (
        <RetrievalTest key={dataset_id} dataset_id={dataset_id} keyId={key.id} workspace={workspace.id} />
      ) : isLoading || problem ? null : (
        <Empty
          title={t('noOffer')}
          actions={
            <Button component={Link} to={paths.chat(inWorkspace)}>
              {t('probe')}
            </Button>
          }
        >
          {t('noOfferText')}
        </Empty>
      )}
    </Page>
  )
}
