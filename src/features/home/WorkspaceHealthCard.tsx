import { Box, Group, Paper, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { RunAggregate } from '#contract/console/stats.ts'
import type { Workspace } from '#contract/console/workspaces.ts'
import { paths } from '#domain/paths.ts'
import { getWorkspaceHealth } from '#domain/platformKeys/workspaceHealth.ts'
import { getInitials } from '../../components/data/nameInitials.ts'
import { HealthBadge } from '../../components/data/HealthBadge.tsx'
import { RelativeTime } from '../../components/data/RelativeTime.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import classes from './Home.module.css'
import { homeMessages } from './messages.ts'
import { formatFailureShare } from './chartSeries.ts'

export interface WorkspaceHealthCardProps {
  workspace: Workspace
  /** Undefined while it is read, as `drift`: the drift notices of its platform. */
  aggregates: readonly RunAggregate[] | undefined
  drift: number | undefined
}

/** One workspace: where it is, whether it answers, what ran on it in the span, and whether it differs from the contract. */
export function WorkspaceHealthCard({ workspace, aggregates, drift }: WorkspaceHealthCardProps) {
  const t = useMessages(homeMessages)
  const { state, since, answered_at } = getWorkspaceHealth(workspace)
  const runs = aggregates?.reduce((count, aggregate) => count + aggregate.runs, 0)
  const share = aggregates
    ? formatFailureShare(
        aggregates.reduce((count, { failed }) => count + failed, 0),
        runs ?? 0,
      )
    : null
  const b = (words: ReactNode) => <b>{words}</b>
  return (
    <Paper component="article" p="md" aria-label={workspace.name}>
      <Group component="header" gap="sm" wrap="nowrap" mb="sm">
        <Box
          display="grid"
          flex="none"
          w={28}
          h={28}
          bd="1px solid var(--primary-line)"
          bdrs="md"
          bg="var(--primary-tint)"
          c="var(--primary-text)"
          fz="sm"
          fw={600}
          style={{ placeItems: 'center' }}
          aria-hidden="true"
        >
          {getInitials(workspace.name)}
        </Box>
        <Box miw={0}>
          <Text fw={700} truncate>
            {workspace.name}
          </Text>
          <Text c="dimmed" fz="sm" truncate>
            {getWorkspaceHost(workspace.base_url)}
          </Text>
        </Box>
      </Group>
      <HealthBadge state={state} since={since} />
      <ul className={classes.facts}>
        <li>{t('keys', { count: workspace.keys.length })}</li>
        <li>
          {answered_at ? t.rich('answered', { since: () => <RelativeTime at={answered_at} /> }) : t('neverAnswered')}
        </li>
        {runs === undefined ? null : <li>{t.rich('runs', { count: runs, b })}</li>}
        {runs === undefined ? null : <li>{share === null ? t('noRuns') : t.rich('failedShare', { share, b })}</li>}
        {drift === undefined ? null : (
          <li>
            <Link className={classes.link} to={paths.drift({ workspace: workspace.id })}>
              {drift === 0 ? t('noDrift') : t.rich('driftOf', { count: drift, b })}
            </Link>
          </li>
        )}
      </ul>
    </Paper>
  )
}

function getWorkspaceHost(base_url: string): string {
  return URL.canParse(base_url) ? new URL(base_url).host : base_url
}
