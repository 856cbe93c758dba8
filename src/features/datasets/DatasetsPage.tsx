import { Button } from '@mantine/core'
import { IconClipboard, IconPlus } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { ColumnMenu } from '../../ui/ColumnMenu.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { SearchField } from '../../ui/fields/SearchField.tsx'
import { Page } from '../../ui/Page.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { Refreshed } from '../../ui/Refreshed.tsx'
import { Since } from '../../ui/Since.tsx'
import { Table } from '../../ui/Table.tsx'
import { useColumns } from '../../ui/useColumns.ts'
import { useListState } from '../../ui/useListState.ts'
import { type CurrentWorkspace, useWorkspace } from '../../wire/useWorkspace.ts'
import classes from './Datasets.module.css'
import { useDatasetColumns } from './useDatasetColumns.tsx'
import { useDatasetList } from './useDatasetList.ts'
import { part } from '../../ui/part.tsx'
import { useWords } from '../../ui/words.ts'
import { datasetsWords } from './messages.ts'
import { contract } from '#contract/index.ts'
import { useMay } from '../../wire/useMay.ts'

type Form = 'create' | 'adopt'

// Forms are loaded when they are first opened.
const AdoptDataset = part(async () => (await import('./AdoptDataset.tsx')).AdoptDataset)
const CreateDataset = part(async () => (await import('./CreateDataset.tsx')).CreateDataset)

/** The datasets of a workspace: as the platform lists them where it does, else as the ledger knows them. */
export function DatasetsPage() {
  const current = useWorkspace()
  return <Datasets key={current.workspace?.id} current={current} />
}

/** One workspace's, so that nothing of another is shown or typed on while it loads. */
function Datasets({ current }: { current: CurrentWorkspace }) {
  const t = useWords(datasetsWords)
  const { workspace, keyOf, isLoading, problem: workspaceProblem, retry } = current
  const may = useMay()
  const list = useListState()
  const [open, setOpen] = useState<Form | null>(null)
  const [was, setWas] = useState<readonly Form[]>([])
  if (open && !was.includes(open)) setWas([...was, open])
  const q = list.get('q')
  const knowledge = keyOf('knowledge')
  const { data, error, refetch, isFetching, dataUpdatedAt, isListed } = useDatasetList(workspace?.id, knowledge, {
    q,
    page: list.get('page'),
    limit: list.get('limit'),
  })
  const columns = useColumns('datasets', useDatasetColumns(isListed))
  const problem = workspaceProblem ?? error?.problem
  const isUntouched = data?.total === 0 && !q
  // The list out of the ledger asks nothing of the platform, so it would not say that the key is refused there.
  const keyProblem = isListed ? null : (knowledge?.last_problem ?? null)

  const adopt =
    workspace && may(contract.console.adoptThing) ? (
      <Button variant="default" leftSection={<IconClipboard size={14} />} onClick={() => setOpen('adopt')}>
        {t('adopt')}
      </Button>
    ) : null
  const create =
    workspace && may(contract.datasets.create) ? (
      <Button leftSection={<IconPlus size={14} />} onClick={() => setOpen('create')}>
        {t('create')}
      </Button>
    ) : null
  const toolbar = isUntouched ? undefined : (
    <>
      <SearchField label={t('search')} value={q ?? ''} onSearch={(words) => list.set({ q: words })} hotkey />
      <Refreshed busy={isFetching} onRefresh={() => void refetch()}>
        {dataUpdatedAt > 0
          ? t.rich(isListed ? 'listed' : 'seen', {
              since: () => <Since at={new Date(dataUpdatedAt).toISOString()} ago />,
            })
          : null}
      </Refreshed>
      <ColumnMenu columns={columns} />
    </>
  )

  return (
    <Page
      title={t('title')}
      beside={data && data.total > 0 ? <span className={classes.count}>{data.total}</span> : null}
      actions={
        <>
          {adopt}
          {create}
        </>
      }
      toolbar={workspace ? toolbar : undefined}
    >
      {problem ? (
        <div className={classes.problem}>
          <ProblemNote
            problem={problem}
            what={t('listWhat')}
            onRetry={() => (workspaceProblem ? retry() : void refetch())}
          >
            {problem.kind === 'invalid' ? (
              <Button variant="default" onClick={() => list.set({ q: null, limit: null })}>
                {t('firstPage')}
              </Button>
            ) : null}
          </ProblemNote>
        </div>
      ) : null}
      {keyProblem ? (
        <div className={classes.problem}>
          <ProblemNote problem={keyProblem} title={t('keyProblem')} />
        </div>
      ) : null}
      {!workspace && !isLoading && !workspaceProblem ? (
        <Empty title={t('noWorkspace')}>{t('noWorkspaceText')}</Empty>
      ) : null}
      {isUntouched ? (
        <Empty
          title={t(isListed ? 'emptyListed' : 'emptyTitle')}
          actions={
            <>
              {create}
              {adopt}
            </>
          }
        >
          {t(isListed ? 'emptyListedText' : 'emptyText')}
        </Empty>
      ) : null}
      {data?.total === 0 && q ? (
        <Empty title={t('noneTitle')} actions={<Button onClick={() => list.set({ q: null })}>{t('clear')}</Button>}>
          {t('noneText', { q })}
        </Empty>
      ) : null}
      {(data && data.total > 0) || (!data && !problem && (workspace || isLoading)) ? (
        <Table label={t('title')} columns={columns.shown} rows={data?.data} keyOf={({ id }) => id} />
      ) : null}
      {data && data.total > 0 ? (
        <Pager
          page={data.page}
          limit={data.limit}
          total={data.total}
          beyond={data.beyond}
          onPage={(page) => list.set({ page })}
          onLimit={(limit) => list.set({ limit })}
        />
      ) : null}
      {workspace ? (
        <Suspense>
          {was.includes('create') ? (
            <CreateDataset
              opened={open === 'create'}
              onClose={() => setOpen(null)}
              workspace={workspace.id}
              knowledge={knowledge}
            />
          ) : null}
          {was.includes('adopt') ? (
            <AdoptDataset opened={open === 'adopt'} onClose={() => setOpen(null)} workspace={workspace.id} />
          ) : null}
        </Suspense>
      ) : null}
    </Page>
  )
}
