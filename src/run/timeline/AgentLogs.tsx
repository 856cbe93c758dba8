import type { AgentLog } from '#contract/run.ts'
import { RawJson } from '../../ui/RawJson.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import classes from './NodePanel.module.css'

/** Deeper than this the logs of an agent stand no further to the right. */
const DEEPEST = 6

/** What an agent told of its rounds and calls, each behind the one that it belongs to. */
export function AgentLogs({ logs }: { logs: readonly AgentLog[] }) {
  return (
    <ol className={classes.logs}>
      {logs.map((log) => (
        <li key={log.id} style={{ paddingInlineStart: 14 * depthOf(log, logs) }}>
          <details>
            <summary>
              <span dir="auto">{log.label ?? log.id}</span> {log.status ? <StateBadge word={log.status} plain /> : null}
            </summary>
            {log.error === null ? null : <pre className={classes.words}>{log.error}</pre>}
            <RawJson value={{ data: log.data, metadata: log.metadata }} label={log.label ?? log.id} />
          </details>
        </li>
      ))}
    </ol>
  )
}

function depthOf({ parent_id }: AgentLog, logs: readonly AgentLog[]): number {
  let depth = 0
  for (let id = parent_id; id !== null && depth < DEEPEST; depth++)
    id = logs.find((log) => log.id === id)?.parent_id ?? null
  return depth
}
