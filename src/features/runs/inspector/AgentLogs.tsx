import type { AgentLog } from '#domain/workflowRun/runState.ts'
import { RawJson } from '../../../components/data/json/RawJson.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import classes from './NodePanel.module.css'

/** Deeper log entries are not indented further. */
const MAX_INDENT_LEVELS = 6

/** The rounds and calls that an agent logged, each below its parent. */
export function AgentLogs({ logs }: { logs: readonly AgentLog[] }) {
  return (
    <ol className={classes.logs}>
      {logs.map((log) => (
        <li key={log.id} style={{ paddingInlineStart: 14 * getLogDepth(log, logs) }}>
          <details>
            <summary>
              <span dir="auto">{log.label ?? log.id}</span>{' '}
              {log.status ? <StatusBadge status={log.status} isPlain /> : null}
            </summary>
            {log.error === null ? null : <pre className={classes.words}>{log.error}</pre>}
            <RawJson value={{ data: log.data, metadata: log.metadata }} label={log.label ?? log.id} />
          </details>
        </li>
      ))}
    </ol>
  )
}

function getLogDepth({ parent_id }: AgentLog, logs: readonly AgentLog[]): number {
  let depth = 0
  for (let id = parent_id; id !== null && depth < MAX_INDENT_LEVELS; depth++)
    id = logs.find((log) => log.id === id)?.parent_id ?? null
  return depth
}
