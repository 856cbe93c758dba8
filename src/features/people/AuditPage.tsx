import { NativeSelect } from '@mantine/core'
import { Link, useSearchParams } from 'react-router'
import type { AuditEvent } from '#contract/access.ts'
import { contract } from '#contract/index.ts'
import { paths } from '../../paths.ts'
import { Empty } from '../../ui/Empty.tsx'
import { SearchField } from '../../ui/fields/SearchField.tsx'
import { IdChip } from '../../ui/IdChip.tsx'
import { More } from '../../ui/More.tsx'
import { Page } from '../../ui/Page.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { Since } from '../../ui/Since.tsx'
import { Table } from '../../ui/Table.tsx'
import { useWords } from '../../ui/words.ts'
import { usePages } from '../../wire/query.ts'
import { useMay } from '../../wire/useMay.ts'
import { peopleWords } from './messages.ts'
import classes from './People.module.css'

const ACTIONS = [
  'session.',
  'account.',
  'person.',
  'token.',
  'batches.',
  'workspace.',
  'key.',
  'master.',
  'retention.',
  'export.',
]

/** `/people/audit`: what was done, by whom, in the order it was done. */
export function AuditPage() {
  const t = useWords(peopleWords)
  const isAdmin = useMay()(contract.console.listAudit)
  const [search, setSearch] = useSearchParams()
  const set = (name: string, value: string) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        if (value) next.set(name, value)
        else next.delete(name)
        return next
      },
      { replace: true },
    )
  const action = search.get('action') ?? ''
  const person = search.get('person') ?? ''
  const pages = usePages(
    contract.console.listAudit,
    { query: { ...(action ? { action } : {}), ...(person ? { person } : {}) } },
    { enabled: isAdmin },
  )
  const rows = pages.data?.pages.flatMap(({ data }) => data)
  const problem = pages.error && !pages.isFetchNextPageError ? pages.error.problem : null
  return (
    <Page
      title={t('audit')}
      crumbs={
        <>
          <Link to={paths.people()}>{t('title')}</Link>
          <span>/</span>
        </>
      }
      toolbar={
        isAdmin ? (
          <div className={classes.filters}>
            <SearchField label={t('find')} value={person} onSearch={(value) => set('person', value)} />
            <NativeSelect
              aria-label={t('action')}
              value={action}
              onChange={(event) => set('action', event.currentTarget.value)}
              data={[{ value: '', label: t('anyAction') }, ...ACTIONS.map((one) => ({ value: one, label: `${one}*` }))]}
            />
          </div>
        ) : null
      }
    >
      <title>{`${t('audit')} · Loupe`}</title>
      {isAdmin ? null : <Empty title={t('audit')}>{t('auditAdminOnly')}</Empty>}
      {problem ? <ProblemNote problem={problem} what={t('readAudit')} onRetry={() => void pages.refetch()} /> : null}
      {rows?.length === 0 ? <Empty title={t('auditEmpty')}>{t('auditEmptyText')}</Empty> : null}
      {isAdmin && !problem && rows?.length !== 0 ? (
        <>
          <AuditTable rows={rows} />
          <More
            isLeft={pages.hasNextPage}
            isBusy={pages.isFetchingNextPage}
            onMore={() => void pages.fetchNextPage()}
            problem={pages.isFetchNextPageError ? pages.error.problem : null}
            what={t('readAudit')}
          />
          <p className={classes.chain}>{t('chain')}</p>
        </>
      ) : null}
    </Page>
  )
}

function AuditTable({ rows }: { rows: AuditEvent[] | undefined }) {
  const t = useWords(peopleWords)
  return (
    <Table
      label={t('audit')}
      rows={rows}
      keyOf={({ seq }) => String(seq)}
      columns={[
        { head: t('number'), number: true, cell: ({ seq }) => seq },
        { head: t('when'), cell: ({ at }) => <Since at={at} ago /> },
        { head: t('person'), cell: ({ person }) => person },
        { head: t('action'), mono: true, cell: ({ action }) => action },
        { head: t('what'), cell: ({ label, about }) => label ?? (about ? <IdChip id={about} /> : null) },
        {
          head: t('detail'),
          mono: true,
          grow: true,
          cell: ({ detail }) =>
            detail === null || detail === undefined ? null : (
              <span className={classes.detail} title={JSON.stringify(detail)}>
                {JSON.stringify(detail)}
              </span>
            ),
        },
        { head: t('from'), mono: true, cell: ({ address }) => address },
      ]}
    />
  )
}
