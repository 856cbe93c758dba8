import { formatDateTime } from '#domain/dateFormat.ts'
import type { FailingKey, WorkspaceHealth } from '#domain/platformKeys/workspaceHealth.ts'
import classes from './StatusBadge.module.css'
import { healthMessages } from './healthMessages.ts'
import { useMessages } from '../i18n/useMessages.ts'
import { StatusBadge } from './StatusBadge.tsx'

/** The health of a key or a workspace: healthy, or what is wrong and since when. */
export function HealthBadge({ state, since }: { state: WorkspaceHealth['state']; since: string | null }) {
  const t = useMessages(healthMessages)
  const isFailing = state !== 'healthy' && state !== 'untested'
  return (
    <span>
      <StatusBadge status={t(`health_${state}`)} />
      {isFailing && since ? (
        <small className={classes.since}> {t.rich('healthSince', { since: () => <StartTime at={since} /> })}</small>
      ) : null}
    </span>
  )
}

/** What is wrong with a key, in one sentence with the platform's words. The same on every screen. */
export function FailingKeyText({ failingKey }: { failingKey: FailingKey }) {
  const t = useMessages(healthMessages)
  const { label, health, health_since, last_problem } = failingKey
  return (
    <>
      {t.rich(`${health}Key`, {
        label,
        message: last_problem?.message ?? '',
        since: () => <StartTime at={health_since ?? ''} />,
      })}
    </>
  )
}

/** When a state began. "Since" asks for a time of day, not for an age. */
const StartTime = ({ at }: { at: string }) =>
  at === '' ? null : (
    <time dateTime={at} style={{ whiteSpace: 'nowrap' }}>
      {formatDateTime(at)}
    </time>
  )
