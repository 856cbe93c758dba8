import { Box, Paper, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { EndpointReply } from '#contract/endpoint.ts'
import { optionalMessageEndpoints } from '#contract/platform/optionalMessages.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { maskFormTokens } from '#domain/workflowRun/formTokens.ts'
import { listPendingForms } from '#domain/workflowRun/runForms.ts'
import type { RunState } from '#domain/workflowRun/runState.ts'
import { RawJson } from '../../../components/data/json/RawJson.tsx'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { ReadBoundary } from '../../../components/layout/ReadBoundary.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import { runMessages } from '../detail/messages.ts'
import { timelineMessages } from '../timeline/messages.ts'
import type { Turn } from '../turn.ts'

type PlatformMessage = EndpointReply<typeof optionalMessageEndpoints.listMessages>['data'][number]

/** The newest messages of the conversation that are searched for that of the turn: a page of the platform. */
const MAX_MESSAGES = 100

/** What the platform keeps of an answer whose stream broke off, or of a stopped agent; nothing for other turns. */
export function KeptMessageNote({ turn, app }: { turn: Turn; app: Key }) {
  const t = useMessages(runMessages)
  const { answer, state, entry, question } = turn
  const { conversation_id, message_id } = answer
  const isBroken = entry === 'chat.send' && state === 'interrupted' && conversation_id !== null && message_id !== null
  const isEnabled = isBroken && app.offers.includes('listMessages')
  const read = useRead(
    optionalMessageEndpoints.listMessages,
    {
      key: app.id,
      query: { conversation_id: conversation_id ?? '', user: question.user || undefined, limit: MAX_MESSAGES },
    },
    { enabled: isEnabled },
  )
  if (state === 'stopped' && answer.by_agent && answer.text !== '')
    return (
      <Paper {...NOTE_STYLE} role="note">
        <Text inherit>{t('keepsNoAgentText')}</Text>
      </Paper>
    )
  if (!isEnabled) return null
  return (
    <ReadBoundary read={read} action={t('loadKept')} loading={null}>
      {({ data }) => {
        const message = data.find(({ id }) => id === message_id)
        const text = message?.answer ?? ''
        return (
          <Paper {...NOTE_STYLE} role="note">
            <Text inherit>{getNote(message, text)}</Text>
            {text.trim() === '' ? null : (
              <Box component="details" mt="sm">
                <summary>{t('keptText')}</summary>
                <Text inherit dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                  {text}
                </Text>
              </Box>
            )}
          </Paper>
        )
      }}
    </ReadBoundary>
  )

  function getNote(message: PlatformMessage | undefined, text: string): ReactNode {
    if (!message) return t('keepsNone')
    if (message.error) return t('keepsError', { error: message.error })
    if (text.trim() === '') return t.rich('keepsEmpty', { b: bold })
    // The received part of a stopped answer is stored.
    const isComplete = text.trim().length >= answer.text.trim().length
    return t.rich(isComplete ? 'keepsComplete' : 'keepsShorter', { b: bold, count: text.length })
  }
}

const bold = (words: ReactNode) => <b>{words}</b>

/** Statuses that need no explanation. */
const COMMON_STATUSES = ['running', 'succeeded', 'failed', 'stopped']

/** Explains an uncommon status of a workflow. `hasForms`: the forms of a paused one are shown next to it. */
export function WorkflowStatusNote({ run, hasForms = false }: { run: RunState; hasForms?: boolean }) {
  const t = useMessages(timelineMessages)
  const { status, paused, nodes, forms } = run
  if (status === null || COMMON_STATUSES.includes(status)) return null
  if (hasForms && listPendingForms(run).length > 0) return null
  const reasons = paused ? maskFormTokens({ ...paused, ...(forms.length > 0 ? { forms } : {}) }) : null
  return (
    <Paper {...NOTE_STYLE} role="status">
      <StatusBadge status={status} />{' '}
      {status === 'paused'
        ? t('paused')
        : status === 'partial-succeeded'
          ? getPartialText()
          : t.rich('platformStatus', { status, code: (words: ReactNode) => <code>{words}</code> })}
      {reasons ? (
        <Box mt="sm">
          <RawJson value={reasons} label={t('pausedWhy')} />
        </Box>
      ) : null}
    </Paper>
  )

  /** Nodes, not tries: `exceptions_count` counts each try of a node. */
  function getPartialText(): string {
    const failed = nodes.filter((node) => node.kind === 'node' && ['exception', 'failed'].includes(node.status))
    return failed.length === 0 ? t('partialUncounted') : t('partial', { count: failed.length })
  }
}

/** The source of the outcome, if it is not the run's own stream or reply. */
export function DetailSourceNote({ run }: { run: RunState }) {
  const t = useMessages(timelineMessages)
  // Older stored runs do not have this field.
  const source = run.told ?? null
  // The platform has confirmed a pause, which is not a result.
  if (source === null || (run.paused !== null && !source.elsewhere)) return null
  const since = () => <RelativeTime key="since" at={source.at} />
  const messageKey = source.elsewhere ? 'detailExternal' : run.ended ? 'detailResult' : 'detailNoResult'
  return (
    <Text
      size="sm"
      c="dimmed"
      mb="sm"
      px="md"
      py="xs"
      style={{ borderInlineStart: '3px solid var(--line-2)' }}
      role="note"
    >
      {t.rich(messageKey, { since })}{' '}
      {source.because === null || !run.ended ? null : t('previousProblem', { reason: source.because })}
    </Text>
  )
}

const NOTE_STYLE = { component: 'section', radius: 'md', px: 'md', py: 'sm', fz: 'sm' } as const
