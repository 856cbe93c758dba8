import { Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { isActiveStatus, type Run } from '#contract/console/runs.ts'
import { runInsightEndpoints } from '#contract/console/runInsights.ts'
import { paths } from '#domain/paths.ts'
import { runEndpoints } from '#contract/console/runEndpoints.ts'
import type { AnswerState } from '#domain/answer/answerState.ts'
import type { RunNode, RunState } from '#domain/workflowRun/runState.ts'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import { runListMessages } from '../list/messages.ts'
import classes from './Run.module.css'
import { RunNote, RunSection } from './RunSection.tsx'
import { compareNodes } from '../compare/compareNodes.ts'
import { getNodeName } from '../timeline/nodeDisplay.ts'
import { isTurnOver, toAnswerState, type Turn } from '../turn.ts'
import { versionMessages } from '../version/messages.ts'

const LINEAGE_POLL_INTERVAL_MS = 2_000

/** The tree of derived runs that contains this run; nothing if it has no relatives. */
export function RunLineage({ run_id, parent }: { run_id: string; parent: string | null }) {
  const t = useMessages(runListMessages)
  const { data } = useRead(
    runInsightEndpoints.listRunFamily,
    { params: { run_id } },
    {
      pollIntervalMs: (reply) =>
        reply?.data.some(({ status }) => isActiveStatus(status)) ? LINEAGE_POLL_INTERVAL_MS : false,
    },
  )
  const family = data?.data ?? []
  const root = family[0]
  if (!root || (family.length === 1 && parent === null)) return null
  const isOrphan = root.parent !== null
  return (
    <RunSection title={t('lineage')}>
      <div className={classes.tree}>
        {isOrphan ? <RunNote>{t('goneParent', { id: root.parent?.slice(0, 8) ?? '' })}</RunNote> : null}
        <ul>
          <LineageBranch run={root} family={family} ownRunId={run_id} />
        </ul>
      </div>
    </RunSection>
  )
}

function LineageBranch({ run, family, ownRunId }: { run: Run; family: readonly Run[]; ownRunId: string }) {
  const children = family.filter(({ parent }) => parent === run.id)
  return (
    <li aria-current={run.id === ownRunId || undefined}>
      <LineageRun run={run} isOwn={run.id === ownRunId} />
      {children.length > 0 ? (
        <ul>
          {children.map((child) => (
            <LineageBranch key={child.id} run={child} family={family} ownRunId={ownRunId} />
          ))}
        </ul>
      ) : null}
    </li>
  )
}

function LineageRun({ run, isOwn }: { run: Run; isOwn: boolean }) {
  const t = useMessages(runListMessages)
  const title = run.title || t('untitled')
  return (
    <span className={classes.relative}>
      {isOwn ? (
        <b dir="auto">{title}</b>
      ) : (
        <Link to={paths.run(run.id, { workspace: run.workspace })} dir="auto">
          {title}
        </Link>
      )}
      {run.status === 'succeeded' ? null : <StatusBadge status={run.status} isPlain />}
      <code>{run.id.slice(0, 8)}</code>
      {isOwn ? <small>{t('thisRun')}</small> : null}
      <RelativeTime at={run.created_at} />
    </span>
  )
}

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
    <RunSection title={t('parentNodes')}>
      <Text fz="sm" c="dimmed" mb="sm">
        {t('parentVersion', { id: before.workflow_id.slice(0, 8) })}
        {added.length + gone.length === 0 ? ` ${t('sameNodes')}` : null}
      </Text>
      <Stack component="dl" gap="xs">
        <NodeNames label={t('onlyHere')} nodes={added} />
        <NodeNames label={t('onlyInParent')} nodes={gone} />
      </Stack>
    </RunSection>
  )
}

function NodeNames({ label, nodes }: { label: string; nodes: readonly RunNode[] }) {
  if (nodes.length === 0) return null
  return (
    <div>
      <Text component="dt" fz="sm" c="dimmed">
        {label}
      </Text>
      <Text component="dd" m={0} dir="auto" style={{ overflowWrap: 'anywhere' }}>
        {[...new Set(nodes.map(getNodeName))].join(', ')}
      </Text>
    </div>
  )
}
