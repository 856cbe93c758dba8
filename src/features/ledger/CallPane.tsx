import { ActionIcon, Box, Button, Flex, Group, Stack, Text } from '@mantine/core'
import { IconExternalLink, IconX } from '@tabler/icons-react'
import { Link } from 'react-router'
import { formatExactTime } from '#domain/dateFormat.ts'
import { describePath, isForm } from '#contract/endpoint.ts'
import { platformEntries } from '#contract/platformEntries.ts'
import { type Call, callEndpoints } from '#contract/console/calls.ts'
import { paths } from '#domain/paths.ts'
import { formatSeconds } from '#domain/metricFormat.ts'
import { CopyCurl } from '../runs/inspector/CopyCurl.tsx'
import { RUN_ENTRIES } from '../runs/runEntries.ts'
import { RunInspector } from '../runs/inspector/RunInspector.tsx'
import { InspectorPane, useInspectorPane } from '../runs/inspector/InspectorPane.tsx'
import { parseInspectorTab } from '../runs/inspector/inspectorTabs.ts'
import { useTurn } from '../runs/useTurn.ts'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { ReadBoundary } from '../../components/layout/ReadBoundary.tsx'
import { SkeletonRows } from '../../components/layout/SkeletonRows.tsx'
import { StatusBadge } from '../../components/data/StatusBadge.tsx'
import { useSearchParamState } from '../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { useRead } from '../../client/query.ts'
import { useWorkspace } from '../../client/useWorkspace.ts'
import { type Fact, FactList } from './FactList.tsx'
import { ledgerMessages } from './messages.ts'
import { isActiveStatus } from '#contract/console/runs.ts'
import { RawJson } from '../../components/data/json/RawJson.tsx'

/** One call of the list: who, when and what, its request and its reply; of a run all that the inspector has. */
export function CallPane({ call_id, onClose }: { call_id: string | null; onClose: () => void }) {
  const t = useMessages(ledgerMessages)
  const pane = useInspectorPane('ledger')
  const read = useRead(callEndpoints.readCall, { params: { call_id: call_id ?? '' } }, { enabled: call_id !== null })
  return (
    <InspectorPane name="ledger" pane={{ ...pane, isOpen: call_id !== null, toggle: onClose }}>
      <Flex direction="column" flex={1} mih={0}>
        <ReadBoundary
          read={read}
          action={t('readWhat')}
          isInset
          loading={<SkeletonRows rows={4} height={48} />}
          problemActions={
            <Button variant="default" onClick={onClose}>
              {t('close')}
            </Button>
          }
        >
          {(call) => <CallDetailView key={call.id} call={call} onClose={onClose} />}
        </ReadBoundary>
      </Flex>
    </InspectorPane>
  )
}

function CallDetailView({ call, onClose }: { call: Call; onClose: () => void }) {
  const t = useMessages(ledgerMessages)
  const { workspaces } = useWorkspace()
  const workspaceOfCall = workspaces.find(({ id }) => id === call.workspace)
  const entry = platformEntries.get(call.entry)
  const path = entry ? describePath(entry.path, call.params) : ''
  const isRun = call.entry in RUN_ENTRIES
  const facts: Fact[] = [
    [t('operation'), <code key="entry">{call.entry}</code>],
    [t('request'), <code key="path">{`${entry?.method ?? ''} ${path}`}</code>],
    [t('time'), formatExactTime(call.created_at)],
    [t('person'), call.person ?? t('console')],
    [
      t('app'),
      workspaceOfCall?.keys.find(({ id }) => id === call.key)?.label ?? t('deletedKey', { id: call.key.slice(0, 8) }),
    ],
    [t('answered'), call.http_status ?? t('notGiven')],
    [
      t('duration'),
      call.duration_ms === null ? t('none') : t('secondsShort', { seconds: formatSeconds(call.duration_ms) }),
    ],
    ...(call.note ? [[t('reason'), call.note] as const] : []),
  ]
  return (
    <>
      <Box component="header" px="md" py="sm" style={{ borderBottom: '1px solid var(--line)' }}>
        <Group gap="sm" wrap="nowrap">
          <Text component="h2" dir="auto" flex={1} ta="left" fw={600} truncate>
            {call.title || call.entry}
          </Text>
          <StatusBadge status={call.status} />
          <ActionIcon aria-label={t('close')} onClick={onClose}>
            <IconX size={16} />
          </ActionIcon>
        </Group>
        <FactList facts={facts} />
        <Group gap="xs">
          {isRun ? (
            <Button
              variant="default"
              leftSection={<IconExternalLink size={14} />}
              component={Link}
              to={paths.run(call.id, { workspace: call.workspace })}
            >
              {t('openRun')}
            </Button>
          ) : null}
          {entry ? (
            <CopyCurl
              base_url={workspaceOfCall?.base_url ?? null}
              method={entry.method}
              path={path}
              body={call.request}
              streaming={call.frames > 0}
              file={isForm(entry.body)}
            />
          ) : null}
        </Group>
      </Box>
      {isRun && call.problem ? (
        <Box p="md">
          <ProblemAlert problem={call.problem} action={t('callWhat', { entry: call.entry })} />
        </Box>
      ) : null}
      {isRun ? <CallRunDetail call={call} /> : <CallDetail call={call} />}
    </>
  )
}

function CallRunDetail({ call }: { call: Call }) {
  const { get, set } = useSearchParamState()
  const { run } = useTurn(call.id)
  const source = Number(get('source') ?? NaN)
  return (
    <RunInspector
      run_id={call.id}
      run={run}
      workspace={call.workspace}
      tab={parseInspectorTab(get('tab'))}
      source={Number.isInteger(source) ? source : null}
      onTab={(tab) => set({ tab }, { replace: true })}
      onClose={null}
    />
  )
}

/** The request and the reply. */
function CallDetail({ call }: { call: Call }) {
  const t = useMessages(ledgerMessages)
  const { request, reply, problem, status } = call
  const isFile = isForm(platformEntries.get(call.entry)?.body)
  return (
    <Stack flex={1} mih={0} p="md" style={{ overflowY: 'auto' }} tabIndex={0} role="region" aria-label={t('call')}>
      {problem ? <ProblemAlert problem={problem} action={t('callWhat', { entry: call.entry })} /> : null}
      <BodySection title={t('request')} body={request} missing={t(isFile ? 'fileNotKept' : 'noBody')} />
      <BodySection title={t('reply')} body={reply} missing={t(isActiveStatus(status) ? 'noReplyYet' : 'noReply')} />
    </Stack>
  )
}

function BodySection({ title, body, missing }: { title: string; body: unknown; missing: string }) {
  return (
    <section aria-label={title}>
      <Text component="h3" mb="xs" c="dimmed" fz="sm" fw={550}>
        {title}
      </Text>
      {body === null || body === undefined ? (
        <Text c="dimmed" fz="sm">
          {missing}
        </Text>
      ) : (
        <RawJson value={body} label={title} />
      )}
    </section>
  )
}
