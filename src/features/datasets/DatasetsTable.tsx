import { Link } from 'react-router'
import { useTranslations } from 'use-intl'
import type { Thing } from '#contract/console.ts'
import { paths } from '../../paths.ts'
import { Since } from '../../ui/Since.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import classes from './Datasets.module.css'
import { DocumentCount } from './DocumentCount.tsx'
import { recordOf } from './record.ts'

/** The datasets that this console has seen, each as the platform last described it. */
export function DatasetsTable({ things }: { things: readonly Thing[] | undefined }) {
  const t = useTranslations('datasets')
  const columns: Column<Thing>[] = [
    {
      head: t('name'),
      grow: true,
      cell: (thing) => (
        <>
          <Link to={paths.dataset(thing.id, { workspace: thing.workspace })}>
            {thing.label ?? `${t('unnamed')}, ${thing.id.slice(0, 8)}`}
          </Link>
          <span className={classes.description}>{recordOf(thing)?.description}</span>
        </>
      ),
    },
    { head: t('indexing'), mono: true, cell: (thing) => recordOf(thing)?.indexing_technique },
    { head: 'permission', mono: true, cell: (thing) => recordOf(thing)?.permission },
    {
      head: t('documents'),
      number: true,
      cell: (thing) => <DocumentCount thing={thing} recorded={recordOf(thing)?.document_count} />,
    },
    { head: 'embedding_model', mono: true, cell: (thing) => recordOf(thing)?.embedding_model || null },
    { head: t('lastSeen'), number: true, cell: (thing) => <Since at={thing.last_seen} /> },
  ]
  return <Table label={t('title')} columns={columns} rows={things} keyOf={(thing) => thing.id} />
}
