import { Link } from 'react-router'
import type { ExperimentComparison, ExperimentDifference, Suite } from '#contract/console/suites.ts'
import { paths } from '#domain/paths.ts'
import { useWorkspace } from '../../client/useWorkspace.ts'
import { Table, type TableColumn } from '../../components/data/Table.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { ParametersChanged } from '../runs/compare/ChangeLists.tsx'
import classes from './Comparison.module.css'
import { experimentComparisonMessages } from './experimentComparisonMessages.ts'

/** What is recorded to have changed between two experiments: version, settings, checks, parameters, and the dataset. */
export function ExperimentDifferences({ suite, comparison }: { suite: Suite; comparison: ExperimentComparison }) {
  const t = useMessages(experimentComparisonMessages)
  const { workspaces } = useWorkspace()
  const { before, after, differences, knowledge_edits } = comparison
  const keys = workspaces.find(({ id }) => id === suite.workspace)?.keys ?? []
  const toValue = ({ name }: ExperimentDifference, value: string | null) =>
    value === null ? t('dash') : ((name === 'key' ? keys.find(({ id }) => id === value)?.label : undefined) ?? value)
  const columns: TableColumn<ExperimentDifference>[] = [
    {
      header: t('whatDiffers'),
      cell: ({ name }) => (
        <span className={classes.name}>
          {t(`differenceNames.${toGroup(name)}`)} <code>{name}</code>
        </span>
      ),
    },
    { header: t('before'), grows: true, cell: (one) => <Value text={toValue(one, one.before)} /> },
    { header: t('after'), grows: true, cell: (one) => <Value text={toValue(one, one.after)} /> },
  ]
  const isSameApp = suite.target !== 'retrieval' && before.target.key === after.target.key
  return (
    <section className={classes.differences} aria-label={t('differences')}>
      <h2>{t('differences')}</h2>
      {differences.length === 0 ? (
        <p className={classes.note}>{t('noDifferences')}</p>
      ) : (
        <Table
          label={t('whatDiffers')}
          columns={columns}
          rows={differences}
          getKey={({ name, before: older, after: newer }) => [name, older, newer].join(' ')}
        />
      )}
      {isSameApp ? (
        <ParametersChanged
          workspace={suite.workspace}
          app={after.target.key}
          since={Date.parse(before.batch.created_at)}
          until={Date.parse(after.batch.created_at)}
        />
      ) : null}
      {knowledge_edits ? (
        <p className={classes.note}>
          {t.rich('knowledgeEdits', {
            n: knowledge_edits.count,
            link: (text) => (
              <Link
                to={paths.ledger({
                  workspace: suite.workspace,
                  resource: suite.about,
                  from: knowledge_edits.from,
                  to: knowledge_edits.to,
                })}
              >
                {text}
              </Link>
            ),
          })}
        </p>
      ) : null}
    </section>
  )
}

type DifferenceGroup = keyof typeof experimentComparisonMessages.differenceNames

/** `retrieval_model.top_k` belongs to `retrieval_model`. */
const toGroup = (name: string): DifferenceGroup => name.split('.')[0] as DifferenceGroup

const Value = ({ text }: { text: string }) => (
  <span className={classes.value} title={text} dir="auto">
    {text}
  </span>
)
