import { Button, NativeSelect } from '@mantine/core'
import { Link, useParams } from 'react-router'
import { contract } from '#contract/index.ts'
import { paths } from '../../paths.ts'
import { Empty } from '../../ui/Empty.tsx'
import { IdChip } from '../../ui/IdChip.tsx'
import { Page } from '../../ui/Page.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useListState } from '../../ui/useListState.ts'
import { useWords } from '../../ui/words.ts'
import { useRead } from '../../wire/query.ts'
import { useDataset } from '../../wire/useDataset.ts'
import { useWorkspace } from '../../wire/useWorkspace.ts'
import { findIn, findThrough } from './finding.ts'
import { retrievalWords } from './messages.ts'
import classes from './Retrieval.module.css'
import { ProbeInputs } from './ProbeInputs.tsx'
import { RetrievalTest } from './RetrievalTest.tsx'
import { useProbe } from './useProbe.ts'
import { useMay } from '../../wire/useMay.ts'
import { RoleNote } from '../../ui/RoleNote.tsx'
import { QuestionSets } from './QuestionSets.tsx'

/** A dataset searched by itself, where the platform offers it; else a chat app is asked, and the page says so. */
export function RetrievalPage() {
  const t = useWords(retrievalWords)
  const { dataset_id = '' } = useParams()
  const url = useListState()
  const { workspace, keyOf, keysOf, problem, retry, isLoading } = useWorkspace()
  const knowledge = keyOf('knowledge')
  const direct = knowledge?.offers.includes('retrieve') ? knowledge.id : null
  const app = keyOf('chat') ?? null
  const session = useRead(contract.console.session, {})
  const user = session.data?.person.default_user
  const dataset = useDataset(dataset_id, workspace?.id)
  const may = useMay()
  const mayFind = may(contract.adjacent.retrieve)
  const probe = useProbe(direct === null ? app : null, user)
  const key = app?.id
  const find =
    direct !== null
      ? findIn(direct, dataset_id)
      : key !== undefined && user
        ? findThrough({ key, user, inputs: probe.inputs })
        : null
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
      {!mayFind && session.data && workspace ? (
        <>
          <RoleNote entry={contract.adjacent.retrieve} />
          <QuestionSets
            dataset_id={dataset_id}
            find={null}
            canAsk={false}
            workspace={workspace.id}
            wanted={null}
            onTaken={() => undefined}
          />
        </>
      ) : find && workspace ? (
        <>
          {direct === null ? (
            <section className={classes.probe} aria-label={t('probe')}>
              <NativeSelect
                label={t('app')}
                value={key ?? ''}
                data={keysOf('chat').map(({ id, label }) => ({ value: id, label }))}
                onChange={(event) => url.set({ app: event.currentTarget.value })}
              />
              <p>
                <b>{t('noOffer')}</b> {t('probeText')}
              </p>
              <ProbeInputs probe={probe} />
            </section>
          ) : null}
          <RetrievalTest
            key={`${dataset_id}${direct ?? key}`}
            dataset_id={dataset_id}
            find={find}
            lacks={probe.lacks}
            workspace={workspace.id}
          />
        </>
      ) : isLoading || session.isPending || problem ? null : (
        <Empty
          title={t('noOffer')}
          actions={
            <Button component={Link} to={paths.chat(inWorkspace)}>
              {t('toChat')}
            </Button>
          }
        >
          {t('noAppText')}
        </Empty>
      )}
    </Page>
  )
}
