import { Button } from '@mantine/core'
import { IconMessage, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { contract } from '#contract/index.ts'
import { paths } from '../../paths.ts'
import { Empty } from '../../ui/Empty.tsx'
import { SearchField } from '../../ui/fields/SearchField.tsx'
import { IdChip } from '../../ui/IdChip.tsx'
import { Page } from '../../ui/Page.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { Refreshed } from '../../ui/Refreshed.tsx'
import { Since } from '../../ui/Since.tsx'
import { useListState } from '../../ui/useListState.ts'
import { useRead } from '../../wire/query.ts'
import { useWorkspace } from '../../wire/useWorkspace.ts'
import { CreateDocument } from './CreateDocument.tsx'
import { DocumentsTable } from './DocumentsTable.tsx'
import { IndexingStrip } from '../../ui/indexing/IndexingStrip.tsx'
import { isFinal } from '#contract/records.ts'
import { RefusedDocuments } from './RefusedDocuments.tsx'
import { useDataset } from '../../wire/useDataset.ts'

const LOOK_EVERY_MS = 1000

/** The documents of a dataset (operation 6), looked at every second while any of them is on its way. */
export function DocumentsPage() {
  const { dataset_id = '' } = useParams()
  return <Documents key={dataset_id} dataset_id={dataset_id} />
}

/** One dataset's, so that nothing of another is shown or typed on while it loads. */
function Documents({ dataset_id }: { dataset_id: string }) {
  const t = useTranslations('documents')
  const { workspace, keyOf, isLoading, problem: workspaceProblem, retry } = useWorkspace()
  const list = useListState()
  const [adding, setAdding] = useState(false)
  const dataset = useDataset(dataset_id, workspace?.id)
  const key = keyOf('knowledge')
  const keyword = list.get('keyword')
  const { data, error, refetch, isFetching, dataUpdatedAt } = useRead(
    contract.documents.list,
    { key: key?.id, params: { dataset_id }, query: { keyword, page: list.get('page'), limit: list.get('limit') } },
    { poll: (reply) => (reply?.data.some((document) => !isFinal(document)) ? LOOK_EVERY_MS : false) },
  )
  const problem = workspaceProblem ?? error?.problem
  const total = data?.total ?? data?.data.length ?? 0
  const isEmpty = data !== undefined && !problem && total === 0

  const add = key ? (
    <Button leftSection={<IconPlus size={14} />} onClick={() => setAdding(true)}>
      {t('add')}
    </Button>
  ) : null

  return (
    <Page
      title={dataset.name ?? dataset_id.slice(0, 8)}
      crumbs={
        <>
          <Link to={paths.datasets({ workspace: workspace?.id ?? '' })}>{t('datasets')}</Link>
          <span aria-hidden="true">/</span>
        </>
      }
      beside={<IdChip id={dataset_id} />}
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconMessage size={14} />}
            component={Link}
            to={paths.chat({ workspace: workspace?.id ?? '' })}
          >
            {t('ask')}
          </Button>
          {add}
        </>
      }
      toolbar={
        key && !(isEmpty && !keyword) ? (
          <>
            <SearchField
              label={t('search')}
              value={keyword ?? ''}
              onSearch={(words) => list.set({ keyword: words })}
              hotkey
            />
            <Refreshed busy={isFetching} onRefresh={() => void refetch()}>
              {dataUpdatedAt > 0
                ? t.rich('refreshed', { since: () => <Since at={new Date(dataUpdatedAt).toISOString()} ago /> })
                : null}
            </Refreshed>
          </>
        ) : undefined
      }
    >
      {problem ? (
        <RefusedDocuments
          problem={problem}
          dataset_id={dataset_id}
          workspace={workspace?.id}
          remembers={!data}
          onRetry={() => (workspaceProblem ? retry() : void refetch())}
          onReset={() => list.set({ keyword: null, limit: null })}
        />
      ) : null}
      {!key && !isLoading && !workspaceProblem ? <Empty title={t('noKey')}>{t('noKeyText')}</Empty> : null}
      {data ? <IndexingStrip documents={data.data} at={dataUpdatedAt} name={dataset_id} /> : null}
      {isEmpty && !keyword ? (
        <Empty title={t('emptyTitle')} actions={add}>
          {t('emptyText')}
        </Empty>
      ) : null}
      {isEmpty && keyword ? (
        <Empty
          title={t('noneTitle')}
          actions={<Button onClick={() => list.set({ keyword: null })}>{t('clear')}</Button>}
        >
          {t('noneText', { keyword })}
        </Empty>
      ) : null}
      {(data && total > 0) || (!data && !problem && (key || isLoading)) ? (
        <DocumentsTable dataset_id={dataset_id} workspace={workspace?.id} documents={data?.data} />
      ) : null}
      {data && total > 0 ? (
        <Pager
          page={data.page ?? Number(list.get('page') ?? 1)}
          limit={data.limit ?? Number(list.get('limit') ?? 20)}
          total={total}
          onPage={(page) => list.set({ page })}
          onLimit={(limit) => list.set({ limit })}
        />
      ) : null}
      {key && dataset.isKnown ? (
        <CreateDocument
          opened={adding}
          onClose={() => setAdding(false)}
          dataset_id={dataset_id}
          keyId={key.id}
          technique={dataset.technique}
        />
      ) : null}
    </Page>
  )
}
