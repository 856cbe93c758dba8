import type { RunNode, RunState } from '#domain/workflowRun/runState.ts'
import { getNodeSeconds, getNodeState } from '#domain/workflowRun/runEnd.ts'
import { formatSeconds } from '#domain/metricFormat.ts'
import type { Thought } from '#domain/answer/answerState.ts'
import { truncateText } from '#contract/truncatedText.ts'
import { RawJson } from '../../../components/data/json/RawJson.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { runMessages } from '../detail/messages.ts'
import classes from './AnswerSteps.module.css'

/**
 * The nodes of a workflow or chatflow in start order, folded unless `isOpen`; each expands to its inputs and outputs.
 */
export function NodeList({ run, isOpen = false }: { run: RunState; isOpen?: boolean }) {
  const t = useMessages(runMessages)
  if (run.nodes.length === 0) return null
  const current = run.ended ? undefined : run.nodes.findLast(({ status }) => status === 'running')
  const slowest = run.ended ? findSlowestNode(run) : null
  return (
    <details className={classes.steps} open={isOpen || undefined}>
      <summary>
        <span>{t('nodes', { count: run.nodes.length })}</span>
        {run.ended && run.elapsed_time !== null ? (
          <span>{t('secondsShort', { seconds: formatSeconds(run.elapsed_time * 1000) })}</span>
        ) : null}
        {slowest ? (
          <span>
            {t('slowestNode', {
              node: getNodeTitle(slowest.node),
              seconds: formatSeconds((slowest.seconds ?? 0) * 1000),
            })}
          </span>
        ) : null}
        {current ? <span className={classes.current}>{getNodeTitle(current)}</span> : null}
        {run.status && run.status !== 'succeeded' && run.status !== 'running' ? (
          <StatusBadge status={run.status} isPlain />
        ) : null}
      </summary>
      <ol>
        {run.nodes.map((node) => (
          <li key={node.id} style={{ paddingInlineStart: 18 * getNodeDepth(node, run.nodes) }}>
            <NodeItem node={node} run={run} />
          </li>
        ))}
      </ol>
    </details>
  )
}

function NodeItem({ node, run }: { node: RunNode; run: RunState }) {
  const t = useMessages(runMessages)
  const { inputs, process_data, outputs, error, elapsed_time, node_type, round, retries, logs } = node
  const state = getNodeState(node, run)
  const parts: [string, unknown][] = [
    [t('inputs'), inputs],
    [t('nodeProcess'), process_data],
    [t('outputs'), outputs],
    [t('nodeRetries'), retries.length > 0 ? retries : null],
    [t('nodeLogs'), logs.length > 0 ? logs : null],
  ]
  const presentParts = parts.filter(([, value]) => value !== null && value !== undefined)
  return (
    <details className={classes.step}>
      <summary>
        <span className={classes.name}>{getNodeTitle(node)}</span>
        {node_type ? <code>{node_type}</code> : null}
        {round === null ? null : <span className={classes.figure}>{t('nodeRound', { round })}</span>}
        {retries.length > 0 ? (
          <span className={classes.figure}>{t('nodeRetried', { count: retries.length })}</span>
        ) : null}
        {state === 'succeeded' ? null : <StatusBadge status={state} isPlain />}
        <span className={classes.figure}>
          {elapsed_time === null ? null : t('secondsShort', { seconds: formatSeconds(elapsed_time * 1000) })}
        </span>
      </summary>
      {error === null ? null : <blockquote className={classes.error}>{error}</blockquote>}
      {presentParts.map(([name, value]) => (
        <div key={name} className={classes.part}>
          <h3>{name}</h3>
          <RawJson value={value} label={name} />
        </div>
      ))}
      {presentParts.length === 0 && error === null ? <p className={classes.none}>{t('nodeDataMissing')}</p> : null}
    </details>
  )
}

/** The node with the longest own time; a container takes the time of its nodes. Null if there is nothing to compare. */
function findSlowestNode(run: RunState): { node: RunNode; seconds: number | null } | null {
  const timed = run.nodes
    .filter(({ kind }) => kind === 'node')
    .map((node) => ({ node, seconds: getNodeSeconds(node, run) }))
  if (timed.length < 2 || timed.some(({ seconds }) => seconds === null)) return null
  return timed.reduce((slowest, one) => ((one.seconds ?? 0) > (slowest.seconds ?? 0) ? one : slowest))
}

const getNodeTitle = ({ title, node_id, id }: RunNode): string => title || node_id || id

/** The nesting depth of a node in iterations and loops; limited, because a platform may report a cycle. */
function getNodeDepth(node: RunNode, nodes: readonly RunNode[]): number {
  let depth = 0
  for (let parent = node.parent; parent !== null && depth < 4; depth++)
    parent = nodes.find(({ node_id, kind }) => node_id === parent && kind !== 'node')?.parent ?? null
  return depth
}

/** The steps of an agent, folded: thought, tool call with its input, observation. */
export function AgentThoughts({ thoughts }: { thoughts: readonly Thought[] }) {
  const t = useMessages(runMessages)
  if (thoughts.length === 0) return null
  return (
    <details className={classes.steps}>
      <summary>{t('thoughts', { count: thoughts.length })}</summary>
      <ol>
        {thoughts.map((one, index) => (
          <li key={one.id}>
            <details className={classes.step}>
              <summary>
                <span className={classes.number}>{one.position ?? index + 1}</span>
                {one.tool ? <code>{one.tool.split(';').join(', ')}</code> : null}
                <span className={classes.name}>{one.thought || (one.tool ? '' : t('thoughtNotGiven'))}</span>
              </summary>
              <ThoughtPart name={t('thought')} text={one.thought} />
              <ThoughtPart name={t('toolInput')} text={one.tool_input} isCode />
              <ThoughtPart name={t('observation')} text={one.observation} isCode />
              {one.message_files.length > 0 ? (
                <ThoughtPart name={t('files')} text={one.message_files.join('\n')} isCode />
              ) : null}
            </details>
          </li>
        ))}
      </ol>
    </details>
  )
}

/** One part of a step, truncated if very long: the inspector shows all of it. */
function ThoughtPart({ name, text, isCode = false }: { name: string; text: string | null; isCode?: boolean }) {
  const t = useMessages(runMessages)
  if (!text) return null
  return (
    <div className={classes.part}>
      <h3>{name}</h3>
      <pre data-code={isCode || undefined} tabIndex={0} dir="auto">
        {truncateText(text, MAX_PART_CHARS)}
      </pre>
      {text.length > MAX_PART_CHARS ? <p>{t('partCut', { shown: MAX_PART_CHARS, length: text.length })}</p> : null}
    </div>
  )
}

const MAX_PART_CHARS = 20_000
