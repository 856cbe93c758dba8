import { Box, Button, Flex, Paper, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { DriftRow } from '#contract/console/drift.ts'
import type { Alerts } from '#contract/console/stats.ts'
import type { EndpointReply } from '#contract/endpoint.ts'
import { type WaitingRun, formEndpoints } from '#contract/console/forms.ts'
import { workspaceAdminEndpoints } from '#contract/console/admin/workspaceAdmin.ts'
import type { Workspace } from '#contract/console/workspaces.ts'
import { paths } from '#domain/paths.ts'
import { type FailingKey, getWorkspaceHealth } from '#domain/platformKeys/workspaceHealth.ts'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { FailingKeyText } from '../../components/data/HealthBadge.tsx'
import { RelativeTime } from '../../components/data/RelativeTime.tsx'
import { StatusBadge } from '../../components/data/StatusBadge.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { useRead, useWrite } from '../../client/query.ts'
import classes from './Home.module.css'
import { homeMessages } from './messages.ts'
import { SectionTitle } from './RecentRuns.tsx'
import { useStalledDocuments } from './useStalledDocuments.ts'
import { Can } from '../../client/Can.tsx'
import blocks from '../../components/layout/Blocks.module.css'

export interface AlertListProps {
  alerts: Alerts | undefined
  workspaces: readonly Workspace[]
}

/** Waiting runs in the list, and the poll interval (ms). */
const MAX_WAITING_SHOWN = 5
const WAITING_POLL_INTERVAL_MS = 5_000
const NO_STALLED_DOCUMENTS: Alerts['stalled'] = []

/** Problems that need attention, each with one action. */
export function AlertList({ alerts, workspaces }: AlertListProps) {
  const t = useMessages(homeMessages)
  const failing = workspaces.flatMap((workspace) =>
    getWorkspaceHealth(workspace).failingKeys.map((key) => ({ workspace, key })),
  )
  const exposed = workspaces.flatMap(({ name, keys }) =>
    keys.filter(({ exposed_at }) => exposed_at !== null).map((key) => ({ workspace: name, key })),
  )
  const getWorkspaceName = (id: string) => workspaces.find((one) => one.id === id)?.name ?? id.slice(0, 8)
  const findAppKey = (id: string) =>
    workspaces.flatMap(({ keys }) => keys).find((key) => key.id === id)?.label ??
    t('deletedKey', { id: id.slice(0, 8) })
  const stalled = useStalledDocuments(alerts?.stalled ?? NO_STALLED_DOCUMENTS, workspaces)
  // What differs at Loupe's own platform is for its developers: the page of the drift has it, no alert.
  const isForeign = (id: string) => workspaces.find((one) => one.id === id)?.builtin !== true
  const drift = alerts?.drift.filter(({ is_new, workspace }) => is_new && isForeign(workspace)) ?? []
  const waitingRead = useRead(
    formEndpoints.listWaiting,
    { query: { limit: MAX_WAITING_SHOWN } },
    { pollIntervalMs: WAITING_POLL_INTERVAL_MS },
  )
  const waiting = waitingRead.data
  const waitingTotal = waiting?.total ?? 0
  const count =
    waitingTotal +
    exposed.length +
    failing.length +
    (alerts?.failures.length ?? 0) +
    (alerts?.refused_uploads.length ?? 0) +
    stalled.length +
    drift.length
  return (
    <section aria-label={t('alerts')}>
      <SectionTitle>
        {t('alerts')}{' '}
        {count > 0 ? (
          <Text span px={7} bdrs="sm" bg="var(--hover)" c="dimmed" fz="sm" fw={500}>
            {count}
          </Text>
        ) : null}
      </SectionTitle>
      {count === 0 && alerts && waiting ? (
        <Text py="sm" c="dimmed" fz="sm">
          {t('noAlerts')}
        </Text>
      ) : null}
      {waitingRead.error ? (
        <ProblemAlert
          problem={waitingRead.error.problem}
          action={t('waitingWhat')}
          onRetry={() => void waitingRead.refetch()}
        />
      ) : null}
      <Paper component="ul" className={`${classes.alerts} ${blocks.rows}`}>
        <WaitingAlerts waiting={waiting} findAppKey={findAppKey} />
        {exposed.map(({ workspace, key }) => (
          <AlertRow
            key={`exposed ${key.id}`}
            status="failed"
            title={t('exposedKey', { workspace, label: key.label })}
            to={paths.workspaces()}
            linkText={t('rotateKey')}
          >
            {t.rich('exposedWords', { since: () => <RelativeTime at={key.exposed_at} /> })}
          </AlertRow>
        ))}
        {failing.map(({ workspace, key }) => (
          <FailingKeyAlert key={key.id} workspace={workspace} failingKey={key} />
        ))}
        {stalled.map(({ document, dataset, workspace, label, state, since, last_seen }) => (
          <AlertRow
            key={document}
            status="stalled"
            title={t.rich('stalled', { name: () => <bdi>{label ?? t('unnamed')}</bdi> })}
            to={paths.document(dataset, document, { workspace })}
            linkText={t('open')}
          >
            {t.rich('stalledWords', {
              state,
              since: () => <RelativeTime at={since} />,
              seen: () => <RelativeTime at={last_seen} />,
            })}
          </AlertRow>
        ))}
        {alerts?.failures.map(({ key, message, count: failed, last_run, workspace }) => (
          <AlertRow
            key={key + message}
            status="failed"
            title={t('failures', { count: failed, app: findAppKey(key) })}
            to={paths.run(last_run, { workspace })}
            linkText={t('open')}
          >
            {t('sameWords', { count: failed, message: message || t('noWords') })}
          </AlertRow>
        ))}
        {alerts?.refused_uploads.map((uploads) => (
          <RefusedUploadsAlert
            key={`${uploads.workspace} ${uploads.operation}`}
            uploads={uploads}
            workspaceName={getWorkspaceName(uploads.workspace)}
          />
        ))}
        {drift.map((one) => (
          <DriftNoticesAlert key={one.workspace} drift={one} workspaceName={getWorkspaceName(one.workspace)} />
        ))}
      </Paper>
    </section>
  )
}

interface DriftNoticesAlertProps {
  drift: Alerts['drift'][number]
  workspaceName: string
}

function DriftNoticesAlert({ drift: { workspace, count, newest }, workspaceName }: DriftNoticesAlertProps) {
  const t = useMessages(homeMessages)
  return (
    <AlertRow
      status="drift"
      title={t('drift', { count, workspace: workspaceName })}
      to={paths.drift({ workspace, ...(count === 1 ? { drift: newest.id } : {}) })}
      linkText={t('seeDrift')}
    >
      {t.rich('driftWords', {
        place: getDriftRowLocation(newest),
        operation: newest.operation,
        since: () => <RelativeTime at={newest.first_seen} />,
      })}
    </AlertRow>
  )
}

const getDriftRowLocation = ({ kind, event, path, value }: DriftRow): string =>
  [kind === 'status' ? value : null, event, path || null].filter((one) => one !== null).join(' › ') || kind

interface WaitingAlertsProps {
  waiting: EndpointReply<typeof formEndpoints.listWaiting> | undefined
  findAppKey: (id: string) => string
}

/** The runs that wait for a person, the earliest deadline first. */
function WaitingAlerts({ waiting, findAppKey }: WaitingAlertsProps) {
  const t = useMessages(homeMessages)
  if (!waiting) return null
  const hiddenCount = waiting.total - waiting.data.length
  return (
    <>
      {waiting.data.map(({ run, forms }) => (
        <AlertRow
          key={`waiting ${run.id}`}
          status={run.status}
          title={t.rich('waiting', {
            app: findAppKey(run.key),
            title: () => <bdi>{run.title || t('untitled')}</bdi>,
          })}
          to={paths.run(run.id, { workspace: run.workspace })}
          linkText={t('open')}
        >
          {getWaitingText(forms)}
        </AlertRow>
      ))}
      {hiddenCount > 0 ? (
        <AlertRow
          status="paused"
          title={t('waitingMore', { count: hiddenCount })}
          to={paths.waiting()}
          linkText={t('seeWaiting')}
        >
          {t('waitingAll')}
        </AlertRow>
      ) : null}
    </>
  )

  function getWaitingText(forms: WaitingRun['forms']): ReactNode {
    const names = forms.map(({ node_title }) => node_title).join(', ') || t('waitingNoForm')
    const deadline = forms.flatMap(({ expires_at }) => expires_at ?? []).sort()[0]
    return deadline === undefined ? names : t.rich('waitingUntil', { names, at: () => <RelativeTime at={deadline} /> })
  }
}

interface RefusedUploadsAlertProps {
  uploads: Alerts['refused_uploads'][number]
  workspaceName: string
}

/** Uploads that the platform refused, with the call of the only one or the filtered calls. */
function RefusedUploadsAlert({ uploads, workspaceName }: RefusedUploadsAlertProps) {
  const t = useMessages(homeMessages)
  const { workspace, operation, message, count, last_call, first_at, last_at } = uploads
  const calls = count === 1 ? { call: last_call } : { entry: operation, status: 'failed', from: first_at }
  return (
    <AlertRow
      status="refused"
      title={t(operation === 'annotations.create' ? 'refusedAnnotations' : 'refusedUploads', {
        count,
        workspace: workspaceName,
      })}
      to={paths.ledger({ workspace, ...calls })}
      linkText={t('open')}
    >
      {t.rich('refusedUploadWords', {
        count,
        message: message || t('noWords'),
        operation,
        since: () => <RelativeTime at={last_at} />,
      })}
    </AlertRow>
  )
}

function FailingKeyAlert({ workspace, failingKey }: { workspace: Workspace; failingKey: FailingKey }) {
  const t = useMessages(homeMessages)
  const probeCapabilities = useWrite(workspaceAdminEndpoints.probeKeyCapabilities)
  const test = () => probeCapabilities.mutate({ params: { workspace_id: workspace.id, key_id: failingKey.id } })
  return (
    <AlertRow
      status="failed"
      title={t(`failing_${failingKey.health}`, { workspace: workspace.name, label: failingKey.label })}
      action={
        <Can entry={workspaceAdminEndpoints.probeKeyCapabilities}>
          <Button variant="default" size="xs" loading={probeCapabilities.isPending} onClick={test}>
            {t('testKey')}
          </Button>
        </Can>
      }
    >
      <FailingKeyText failingKey={failingKey} />
      {probeCapabilities.error ? <ProblemAlert problem={probeCapabilities.error.problem} /> : null}
    </AlertRow>
  )
}

interface AlertRowProps {
  status: string
  title: ReactNode
  /** The button of the row: a link, or `action`. */
  to?: string
  linkText?: string
  action?: ReactNode
  children: ReactNode
}

function AlertRow({ status, title, to, linkText, action, children }: AlertRowProps) {
  return (
    <Flex component="li" align="center" gap="md" style={{ overflowWrap: 'anywhere' }}>
      <StatusBadge status={status} isPlain />
      <Box flex={1} miw={0}>
        <Text fz="sm" fw={700}>
          {title}
        </Text>
        <Text component="div" fz="sm" c="dimmed" dir="auto">
          {children}
        </Text>
      </Box>
      {to === undefined ? (
        action
      ) : (
        <Button variant="default" component={Link} to={to}>
          {linkText}
        </Button>
      )}
    </Flex>
  )
}
