import { Flex, Group, Paper, Stack, Text } from '@mantine/core'
import { appParameterEndpoints } from '#contract/platform/appParameters.ts'
import { type Call, callEndpoints } from '#contract/console/calls.ts'
import { chatEndpoints } from '#contract/platform/chat.ts'
import type { Key, Workspace } from '#contract/console/workspaces.ts'
import { optionalAnnotationEndpoints } from '#contract/platform/optionalAnnotations.ts'
import { ReadBoundary } from '../../../components/layout/ReadBoundary.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import { useAllRows } from '../../../client/cursorReads.ts'
import { annotationMessages } from '../messages.ts'
import { AnnotationProbe } from './AnnotationProbe.tsx'
import { AnnotationReplySettingsForm } from './AnnotationReplySettingsForm.tsx'
import { findLastReplyJob, findLastReplySettings, type StartedJob } from './annotationReply.ts'
import { Can } from '../../../client/Can.tsx'
import { IdChip } from '../../../components/data/IdChip.tsx'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'

const PARAMETERS_POLL_INTERVAL_MS = 3_000

/** Annotation reply of an app: status, settings, last job, and the probe. */
export function AnnotationReplyView({ workspace, app }: { workspace: Workspace; app: Key }) {
  const t = useMessages(annotationMessages)
  // A job finishes on the platform at an unknown time: poll the parameters that it changes.
  const parameters = useRead(
    appParameterEndpoints.parameters,
    { key: app.id },
    { pollIntervalMs: PARAMETERS_POLL_INTERVAL_MS },
  )
  const appQuery = (foundCalls: readonly Call[]) => foundCalls.filter(({ key }) => key === app.id)
  // For the whole workspace: the ledger has an index by operation there.
  const calls = useAllRows(
    callEndpoints.listCalls,
    { query: { workspace: workspace.id, entry: 'annotations.reply', include_bodies: 'true', limit: 50 } },
    (foundCalls) => findLastReplySettings(appQuery(foundCalls)) !== null,
  )
  const isOn = parameters.data?.annotation_reply?.enabled ?? null
  const job = findLastReplyJob(appQuery(calls.data ?? []))
  return (
    <Stack gap="xl" maw={760} p="lg">
      <Flex component="section" direction="column" gap="md" aria-label={t('replyTitle')}>
        <Group gap="sm">
          <Text component="h2" fz="lg" fw={600}>
            {t('replyTitle')}
          </Text>
          {parameters.data ? (
            <span role="status">
              <StatusBadge
                status={isOn === null ? 'unknown' : isOn ? 'enabled' : 'disabled'}
                title={t(isOn === null ? 'isNotReported' : isOn ? 'isOn' : 'isOff')}
              />
            </span>
          ) : null}
        </Group>
        <Text fz="sm" c="dimmed">
          {t('replyWhy')} {parameters.data && isOn === null ? t('isNotReported') : null}
        </Text>
        {parameters.error ? (
          <ProblemAlert
            problem={parameters.error.problem}
            action={t('parametersWhat')}
            onRetry={() => void parameters.refetch()}
          />
        ) : null}
        <ReadBoundary read={calls} action={t('jobWhat')} loading={<SkeletonRows rows={4} height={40} />}>
          {(found) => (
            <>
              <AnnotationReplySettingsForm
                workspace={workspace}
                app={app}
                lastSettings={findLastReplySettings(appQuery(found))}
                isOn={isOn}
                onDone={() => void calls.refetch()}
              />
              {job ? (
                <AnnotationReplyJob key={job.job_id} app={app} job={job} />
              ) : (
                <Text fz="sm" c="dimmed">
                  {t('jobNone')}
                </Text>
              )}
            </>
          )}
        </ReadBoundary>
      </Flex>
      <Can entry={chatEndpoints.send}>
        <AnnotationProbe workspace={workspace.id} app={app} />
      </Can>
    </Stack>
  )
}

const JOB_POLL_INTERVAL_MS = 1_000

/** The progress of a job, if the platform reports it; otherwise it is shown as started, never as done. */
function AnnotationReplyJob({ app, job }: { app: Key; job: StartedJob }) {
  const t = useMessages(annotationMessages)
  const { job_id, action, status, person, startedAt } = job
  const hasStatusEndpoint = app.offers.includes('annotationJob')
  const { data, error, refetch } = useRead(
    optionalAnnotationEndpoints.annotationJob,
    { key: app.id, params: { action, job_id } },
    {
      enabled: hasStatusEndpoint,
      pollIntervalMs: (reply) => (reply && isJobFinished(reply.job_status) ? false : JOB_POLL_INTERVAL_MS),
    },
  )
  // A platform rejects the id of an expired job with 400.
  const isMissing = error?.problem.upstream?.status === 400 || error?.problem.upstream?.status === 404
  const jobStatus = data?.job_status ?? (status && isJobFinished(status) ? status : null)
  return (
    <Paper radius="md" px="md" py="sm" role="group" aria-label={t('job')}>
      <Group gap="md" fz="sm">
        <StatusBadge status={isMissing ? 'unknown' : (jobStatus ?? t('jobStarted'))} />
        <span>
          {t.rich('jobOf', {
            action,
            person: person ?? t('nobody'),
            since: () => <RelativeTime at={startedAt} />,
          })}
        </span>
        <Text span fz="sm" c="dimmed">
          {t('jobId')} <IdChip id={job_id} />
        </Text>
      </Group>
      {hasStatusEndpoint ? null : <JobNote text={t('jobStartedWhy')} />}
      {isMissing ? <JobNote text={t('jobUnknown')} /> : null}
      {data?.error_msg ? <JobNote text={data.error_msg} color="error" /> : null}
      {error && !isMissing ? (
        <ProblemAlert problem={error.problem} action={t('jobWhat')} onRetry={() => void refetch()} />
      ) : null}
    </Paper>
  )
}

const JobNote = ({ text, color = 'dimmed' }: { text: string; color?: 'dimmed' | 'error' }) => (
  <Text mt="xs" fz="sm" c={color === 'error' ? 'var(--failed-fg)' : color}>
    {text}
  </Text>
)

const isJobFinished = (status: string | null | undefined): boolean => status === 'completed' || status === 'error'
