import { RUN_STATUS_TABLE } from '#contract/console/runs.ts'
import {
  BATCH_ROW_STATE_COLORS,
  DISPLAY_STATUS_COLORS,
  INDEXING_STATUS_TABLE,
  type StatusColor,
} from '#contract/statuses.ts'

const toColors = (table: Record<string, { color: StatusColor }>): [string, StatusColor][] =>
  Object.entries(table).map(([status, { color }]) => [status, color])

/** The colour of every known text of a badge. */
const STATUS_COLORS: ReadonlyMap<string, StatusColor> = new Map<string, StatusColor>([
  ...toColors(RUN_STATUS_TABLE),
  ...toColors(INDEXING_STATUS_TABLE),
  ...Object.entries(DISPLAY_STATUS_COLORS),
  ...Object.entries(BATCH_ROW_STATE_COLORS),
  ...Object.entries({
    queued: 'queued',
    invited: 'queued',
    filling: 'queued',
    'not reached': 'queued',
    'partly available': 'queued',
    'no details': 'queued',
    live: 'running',
    'catching up': 'running',
    'server not responding': 'interrupted',
    connecting: 'running',
    sending: 'running',
    processing: 'running',
    started: 'running',
    ready: 'succeeded',
    healthy: 'succeeded',
    exception: 'failed',
    passed: 'succeeded',
    stopping: 'stopped',
    enabled: 'succeeded',
    unreachable: 'failed',
    'wrong kind': 'failed',
    'app unavailable': 'failed',
    broken: 'interrupted',
    offered: 'succeeded',
    missing: 'stopped',
    stalled: 'interrupted',
    'not responding': 'interrupted',
    'not sent': 'interrupted',
    drift: 'unknown',
    'never tested': 'unknown',
    'no model': 'unknown',
    regressed: 'failed',
    'still failing': 'failed',
    flaky: 'interrupted',
    fixed: 'succeeded',
    'still passing': 'succeeded',
    best: 'succeeded',
    moved: 'queued',
    'not in both': 'unknown',
    external: 'unknown',
    draining: 'paused',
    reconnecting: 'paused',
    'not saved': 'paused',
    'not watching': 'paused',
  } satisfies Record<string, StatusColor>),
])

export const getStatusColor = (status: string): StatusColor | undefined => STATUS_COLORS.get(status)
