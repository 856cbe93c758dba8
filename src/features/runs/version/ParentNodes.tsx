import { runEndpoints } from '#contract/console/runEndpoints.ts'
import type { AnswerState } from '#domain/answer/answerState.ts'
import type { RunNode, RunState } from '#domain/workflowRun/runState.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import { compareNodes } from '../compare/compareNodes.ts'
import { getNodeName } from '../timeline/nodeDisplay.ts'
import { isTurnOver, toAnswerState, type Turn } from '../turn.ts'
import { versionMessages } from './messages.ts'
import pageClasses from '../page/Run.module.css'
import classes from './VersionSelect.module.css'

/** The nodes that only this run or only its parent had. Nothing where both ran the same version and the same nodes. */
export function ParentNodes({ turn, parent }: { turn: Turn; parent: string | null }) {
  const t = useMessages(versionMessages)
  const { run } = turn.answer
  const isComparable = parent !== null && isTurnOver(turn) && run.workflow_id !== null
  const read = useRead(runEndpoints.readRun, { params: { run_id: parent ?? '' } }, { enabled: isComparable })
  if (!isComparable || !read.data?.answer) return null
  const before = toAnswerState(read.data.answer as AnswerState | RunState).run
  if (before.workflow_id === null) return null
  const changes = compareNodes(before, run)
  const added = changes.flatMap(({ before: was, after }) => (was === null && after ? [after] : []))
  const gone = changes.flatMap(({ before: was, after }) => (after === null && was ? [was] : []))
  if (before.workflow_id === run.workflow_id && added.length + gone.length === 0) return null
  return (
    <section aria-label={t('parentNodes')}>
      <h2 className={pageClasses.head}>{t('parentNodes')}</h2>
      <p className={classes.note}>
        {t('parentVersion', { id: before.workflow_id.slice(0, 8) })}
        {added.length + gone.length === 0 ? ` ${t('sameNodes')}` : null}
      </p>
      <dl className={classes.nodes}>
        <NodeNames label={t('onlyHere')} nodes={added} />
        <NodeNames label={t('onlyInParent')} nodes={gone} />
      </dl>
    </section>
  )
}

function NodeNames({ label, nodes }: { label: string; nodes: readonly RunNode[] }) {
  if (nodes.length === 0) return null
  return (
    <div>
      <dt>{label}</dt>
      <dd dir="auto">{[...new Set(nodes.map(getNodeName))].join(', ')}</dd>
    </div>
  )
}
