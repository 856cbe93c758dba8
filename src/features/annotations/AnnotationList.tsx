import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Key } from '#contract/console.ts'
import { paths } from '../../paths.ts'
import { count } from '../../run/figures.ts'
import { Empty } from '../../ui/Empty.tsx'
import { SearchField } from '../../ui/fields/SearchField.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { Refreshed } from '../../ui/Refreshed.tsx'
import { Since } from '../../ui/Since.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { useListState } from '../../ui/useListState.ts'
import { useWords } from '../../ui/words.ts'
import { AnnotationSheet } from './AnnotationSheet.tsx'
import classes from './Annotations.module.css'
import { DeleteAnnotation } from './DeleteAnnotation.tsx'
import { annotationsWords } from './messages.ts'
import { type AnnotationRow, useAnnotations } from './useAnnotations.ts'
import { contract } from '#contract/index.ts'
import { useMay } from '../../wire/useMay.ts'

/** The annotations of an app, page by page; one of them open at the side. */
export function AnnotationList({ workspace, app }: { workspace: string; app: Key }) {
  const t = useWords(annotationsWords)
  const { get, set } = useListState()
  const q = get('q')
  const { data, error, refetch, isFetching, dataUpdatedAt, isListed } = useAnnotations(workspace, app, {
    q,
    page: get('page'),
    limit: get('limit'),
  })
  const [deleted, setDeleted] = useState<AnnotationRow | null>(null)
  const [offersEdit, offersDelete] = ['updateAnnotation', 'deleteAnnotation'].map((entry) => app.offers.includes(entry))
  const opened = get('annotation')
  const may = useMay()
  const isUntouched = data?.total === 0 && !q
  const place = { workspace, app: app.id }
  const openPath = (id: string) => {
    const search = new URLSearchParams(location.search)
    search.set('annotation', id)
    return `?${search}`
  }
  const columns: Column<AnnotationRow>[] = [
    {
      head: t('question'),
      grow: true,
      cell: ({ id, question }) => (
        <Link to={openPath(id)} dir="auto">
          {question?.slice(0, 300) || t('untitled', { id: id.slice(0, 8) })}
        </Link>
      ),
    },
    { head: t('answer'), grow: true, cell: ({ answer }) => (answer === null ? null : answer.slice(0, 300)) },
    { head: t('hits'), number: true, cell: ({ hit_count }) => (hit_count === null ? null : count(hit_count)) },
    {
      head: t('created'),
      number: true,
      cell: ({ created_at }) => (created_at === null ? null : <Since at={created_at} />),
    },
    {
      head: '…',
      cell: (row) => (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon
              size={24}
              aria-label={t('more', { name: row.question?.slice(0, 60) ?? row.id })}
              title={t('more', { name: row.question?.slice(0, 60) ?? row.id })}
            >
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item component={Link} to={openPath(row.id)}>
              {t(offersEdit ? 'edit' : 'look')}
            </Menu.Item>
            {may(contract.chat.send) ? (
              <Menu.Item component={Link} to={paths.annotations({ ...place, view: 'reply', annotation: row.id })}>
                {t('probe')}
              </Menu.Item>
            ) : null}
            {offersDelete ? <Menu.Item onClick={() => setDeleted(row)}>{t('delete')}</Menu.Item> : null}
          </Menu.Dropdown>
        </Menu>
      ),
    },
  ]
  return (
    <div className={classes.list}>
      {isUntouched ? null : (
        <div className={classes.tools}>
          <SearchField label={t('search')} value={q ?? ''} onSearch={(words) => set({ q: words })} hotkey />
          <Refreshed busy={isFetching} onRefresh={() => void refetch()}>
            {dataUpdatedAt > 0
              ? t.rich(isListed ? 'listed' : 'seen', {
                  since: () => <Since at={new Date(dataUpdatedAt).toISOString()} ago />,
                })
              : null}
          </Refreshed>
        </div>
      )}
      {error ? (
        <div className={classes.alone}>
          <ProblemNote problem={error.problem} what={t('listWhat')} onRetry={() => void refetch()}>
            {error.problem.kind === 'invalid' ? (
              <Button variant="default" onClick={() => set({ q: null, limit: null })}>
                {t('firstPage')}
              </Button>
            ) : null}
          </ProblemNote>
        </div>
      ) : null}
      {isUntouched ? (
        <Empty
          title={t('emptyTitle')}
          actions={
            may(contract.annotations.create) ? (
              <>
                <Button onClick={() => set({ annotation: 'new' })}>{t('new')}</Button>
                <Button variant="default" component={Link} to={paths.annotations({ ...place, view: 'import' })}>
                  {t('views.import')}
                </Button>
              </>
            ) : null
          }
        >
          {t(isListed ? 'emptyListed' : 'emptySeen')}
        </Empty>
      ) : null}
      {data?.total === 0 && q ? (
        <Empty title={t('noneTitle')} actions={<Button onClick={() => set({ q: null })}>{t('clear')}</Button>}>
          {t('noneText', { q })}
        </Empty>
      ) : null}
      {(data && data.total > 0) || (!data && !error) ? (
        <Table
          label={t('title')}
          columns={columns}
          rows={data?.rows}
          keyOf={({ id }) => id}
          isCurrent={({ id }) => id === opened}
        />
      ) : null}
      {data && data.total > 0 ? (
        <Pager
          page={data.page}
          limit={data.limit}
          total={data.total}
          beyond={data.beyond}
          onPage={(page) => set({ page })}
          onLimit={(limit) => set({ limit })}
        />
      ) : null}
      {opened ? (
        <AnnotationSheet
          key={opened}
          workspace={workspace}
          app={app}
          annotation_id={opened === 'new' ? null : opened}
          row={data?.rows.find(({ id }) => id === opened) ?? null}
          onClose={() => set({ annotation: null, page: get('page') ?? null }, { replace: true })}
        />
      ) : null}
      {deleted ? <DeleteAnnotation app={app.id} row={deleted} onClose={() => setDeleted(null)} /> : null}
    </div>
  )
}
