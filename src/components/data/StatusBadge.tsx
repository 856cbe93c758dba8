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
import { getStatusColor } from '#domain/statusColors.ts'
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
/** Statuses whose icon differs from the one of their state. */
const ICON_BY_STATUS_TEXT: Record<string, typeof IconRefresh> = { reconnecting: IconRefresh, 'not saved': IconPencil }

export interface StatusBadgeProps {
  status: string
  /** Its color and icon, for a text that is composed; otherwise the known status text decides. */
  state?: keyof typeof STATUS_ICONS | undefined
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
  state = getStatusColor(status),
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
      <Icon size={13} aria-hidden="true" data-turning={state === 'running' || undefined} />
      {isBare ? <VisuallyHidden>{status}</VisuallyHidden> : status}
      {count === undefined ? null : ` ${count.toLocaleString()}`}
    </span>
  )
}
