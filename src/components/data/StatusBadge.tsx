import { VisuallyHidden } from '@mantine/core'
import {
  IconAlertOctagonFilled,
  IconAsterisk,
  IconCircleCheckFilled,
  IconCircleDashed,
  IconHelpCircle,
  IconPencil,
  IconPlayerPauseFilled,
  IconPlayerStopFilled,
  IconPlugConnectedX,
  IconProgress,
  IconRefresh,
} from '@tabler/icons-react'
import type { CSSProperties } from 'react'
import classes from './StatusBadge.module.css'

const STATUS_ICONS = {
  queued: IconCircleDashed,
  running: IconProgress,
  succeeded: IconCircleCheckFilled,
  failed: IconAlertOctagonFilled,
  stopped: IconPlayerStopFilled,
  interrupted: IconPlugConnectedX,
  unknown: IconHelpCircle,
  paused: IconPlayerPauseFilled,
}
type BadgeState = keyof typeof STATUS_ICONS
/** Statuses whose icon differs from the one of their state. */
const ICON_BY_STATUS_TEXT: Record<string, typeof IconRefresh> = { reconnecting: IconRefresh, 'not saved': IconPencil }

/** The color state of every known status text; the text itself is displayed. */
const STATUS_BY_TEXT: Record<string, BadgeState> = {
  queued: 'queued',
  waiting: 'queued',
  invited: 'queued',
  filling: 'queued',
  queuing: 'queued',
  created: 'queued',
  'not reached': 'queued',
  'partly available': 'queued',
  'no details': 'queued',
  running: 'running',
  dispatched: 'running',
  streaming: 'running',
  live: 'running',
  'catching up': 'running',
  'server not responding': 'interrupted',
  connecting: 'running',
  sending: 'running',
  parsing: 'running',
  cleaning: 'running',
  splitting: 'running',
  indexing: 'running',
  processing: 'running',
  started: 'running',
  succeeded: 'succeeded',
  completed: 'succeeded',
  available: 'succeeded',
  ready: 'succeeded',
  healthy: 'succeeded',
  'partial-succeeded': 'succeeded',
  exception: 'failed',
  passed: 'succeeded',
  failed: 'failed',
  refused: 'failed',
  error: 'failed',
  stopped: 'stopped',
  stopping: 'stopped',
  enabled: 'succeeded',
  disabled: 'stopped',
  archived: 'stopped',
  unreachable: 'failed',
  'wrong kind': 'failed',
  'app unavailable': 'failed',
  broken: 'interrupted',
  offered: 'succeeded',
  missing: 'stopped',
  interrupted: 'interrupted',
  stalled: 'interrupted',
  'not responding': 'interrupted',
  'not sent': 'interrupted',
  unknown: 'unknown',
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
  paused: 'paused',
  draining: 'paused',
  reconnecting: 'paused',
  'not saved': 'paused',
  'not watching': 'paused',
}

export interface StatusBadgeProps {
  status: string
  /** Its color and icon, for a text that is composed; otherwise the known status text decides. */
  state?: BadgeState | undefined
  isPlain?: boolean
  /** Shows only the icon, with the text for screen readers. */
  isBare?: boolean
  /** More about the status, shown on hover. */
  title?: string | undefined
  /** The number of items in this status, shown after it. */
  count?: number
}

/** A status as icon and text. An unknown status is shown unchanged, never mapped to a similar one. */
export function StatusBadge({
  status,
  state = STATUS_BY_TEXT[status],
  isPlain = false,
  isBare = false,
  title,
  count,
}: StatusBadgeProps) {
  const Icon = ICON_BY_STATUS_TEXT[status] ?? (state ? STATUS_ICONS[state] : IconAsterisk)
  return (
    <span
      className={classes.badge}
      title={title}
      data-state={state ?? 'foreign'}
      data-plain={isPlain || isBare || undefined}
      style={
        state
          ? ({ '--badge-fg': `var(--${state}-fg)`, '--badge-bg': `var(--${state}-bg)` } as CSSProperties)
          : undefined
      }
    >
      <Icon size={13} aria-hidden="true" className={state === 'running' ? classes.turning : undefined} />
      {isBare ? <VisuallyHidden>{status}</VisuallyHidden> : status}
      {count === undefined ? null : ` ${count.toLocaleString()}`}
    </span>
  )
}
