import { Button } from '@mantine/core'
import { IconClipboard, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { contract } from '#contract/index.ts'
import { Empty } from '../../ui/Empty.tsx'
import { SearchField } from '../../ui/fields/SearchField.tsx'
import { Page } from '../../ui/Page.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { Refreshed } from '../../ui/Refreshed.tsx'
import { Since } from '../../ui/Since.tsx'
import { useListState } from '../../ui/useListState.ts'
import { useRead } from '../../wire/query.ts'
import { type CurrentWorkspace, useWorkspace } from '../../wire/useWorkspace.ts'
import { AdoptDataset } from './AdoptDataset.tsx'
import { CreateDataset } from './CreateDataset.tsx'
import classes from './Datasets.module.css'
import { DatasetsTable } from './DatasetsTable.tsx'

/** The datasets of a workspace, as the ledger knows them: the interface has no call that lists them. */
export function DatasetsPage() {
  const current = useWorkspace()
  return <Datasets key={current.workspace?.id} current={current} />
}

/** One workspace's, so that nothing of another is shown or typed on while it loads. */
function Datasets({ current }: { current: CurrentWorkspace }) {
  const t = useTranslations('datasets')
  const { workspace, keyOf, isLoading, problem: workspaceProblem, retry } = current
  const list = useListState()
  const [open, setOpen] = useState<'create' | 'adopt' | null>(null)
  const q = list.get('q')
  const { data, error, refetch, isFetching, dataUpdatedAt } = useRead(
    contract.console.listThings,
    { query: { kind: 'dataset', workspace: workspace?.id, q, page: list.get('page'), limit: list.get('limit') } },
    { enabled: Boolean(workspace) },
  )
  const problem = workspaceProblem ?? error?.problem
  const isUntouched = data?.total === 0 && !q

  const adopt = workspace ? (
    <Button variant="default" leftSection={<IconClipboard size={14} />} onClick={() => setOpen('adopt')}>
      {t('adopt')}
    </Button>
  ) : null
  const create = workspace ? (
    <Button leftSection={<IconPlus size={14} />} onClick={() => setOpen('create')}>
      {t('create')}
    </Button>
  ) : null
  const toolbar = isUntouched ? undefined : (
    <>
      <SearchField label={t('search')} value={q ?? ''} onSearch={(words) => list.set({ q: words })} hotkey />
      <Refreshed busy={isFetching} onRefresh={() => void refetch()}>
        {dataUpdatedAt > 0
          ? t.rich('seen', { since: () => <Since at={new Date(dataUpdatedAt).toISOString()} ago /> })
          : null}
      </Refreshed>
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
      {!workspace && !isLoading && !workspaceProblem ? (
        <Empty title={t('noWorkspace')}>{t('noWorkspaceText')}</Empty>
      ) : null}
      {isUntouched ? (
        <Empty
          title={t('emptyTitle')}
          actions={
            <>
              {create}
              {adopt}
            </>
          }
        >
          {t('emptyText')}
        </Empty>
      ) : null}
      {data?.total === 0 && q ? (
        <Empty title={t('noneTitle')} actions={<Button onClick={() => list.set({ q: null })}>{t('clear')}</Button>}>
          {t('noneText', { q })}
        </Empty>
      ) : null}
      {(data && data.total > 0) || (!data && !problem && (workspace || isLoading)) ? (
        <DatasetsTable things={data?.data} />
      ) : null}
      {data && data.total > 0 ? (
        <Pager
          page={data.page}
          limit={data.limit}
          total={data.total}
          onPage={(page) => list.set({ page })}
          onLimit={(limit) => list.set({ limit })}
        />
      ) : null}
      {workspace ? (
        <>
          <CreateDataset
            opened={open === 'create'}
            onClose={() => setOpen(null)}
            workspace={workspace.id}
            keyId={keyOf('knowledge')?.id}
          />
          <AdoptDataset opened={open === 'adopt'} onClose={() => setOpen(null)} workspace={workspace.id} />
        </>
      ) : null}
    </Page>
  )
}
