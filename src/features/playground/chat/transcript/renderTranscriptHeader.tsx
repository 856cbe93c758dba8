import type { ReactElement } from 'react'
import type { Key } from '#contract/console/workspaces.ts'
import { runStore } from '../../../../client/useRun.ts'
import { LazyPlatformMessage } from '../lazyChatParts.ts'
import { TranscriptNote } from './TranscriptNote.tsx'
import type { TurnRow } from './transcriptTurns.ts'
import { listMessagesBefore, type usePlatformMessages } from './usePlatformMessages.ts'

export interface TranscriptHeaderInput {
  platformMessages: ReturnType<typeof usePlatformMessages>
  rows: readonly TurnRow[]
  app: Key
  workspace: string
  user: string
  /** There are older turns than these rows. */
  isTruncated: boolean
}

/** Precedes the first turn: older messages from the platform, and where they end. */
export function renderTranscriptHeader({
  platformMessages,
  rows,
  app,
  workspace,
  user,
  isTruncated,
}: TranscriptHeaderInput): ReactElement[] {
  if (isTruncated) return [<TranscriptNote key="cut" kind="cut" count={rows.length} />]
  const seenMessageIds = new Set(rows.flatMap((row) => getMessageId(row) ?? []))
  const first = rows[0]
  const from = first ? getStartedAtMs(first) - CLOCK_SKEW_MS : null
  const earlierMessages = listMessagesBefore(platformMessages.messages, seenMessageIds, from)
  const isComplete = earlierMessages.length === platformMessages.messages.length
  return [
    ...(platformMessages.error
      ? [
          <TranscriptNote
            key="refused"
            kind="refused"
            problem={platformMessages.error.problem}
            onRetry={platformMessages.retry}
          />,
        ]
      : []),
    ...(platformMessages.readOlder && earlierMessages.length > 0
      ? [
          <TranscriptNote
            key="older"
            kind="older"
            busy={platformMessages.isReadingOlder}
            onRead={platformMessages.readOlder}
          />,
        ]
      : []),
    ...earlierMessages.map((message) => (
      <LazyPlatformMessage key={message.id} message={message} app={app} workspace={workspace} user={user} />
    )),
    ...(earlierMessages.length > 0 && !isComplete ? [<TranscriptNote key="seen" kind="seen" />] : []),
  ]
}

/** Platforms store whole seconds, by their own clock. A message this close to the first turn belongs to that turn. */
const CLOCK_SKEW_MS = 5_000

const getMessageId = ({ run, run_id }: TurnRow): string | null =>
  run?.message_id ?? (runStore.view(run_id)?.state as { message_id?: string | null } | undefined)?.message_id ?? null

const getStartedAtMs = ({ run, run_id }: TurnRow): number =>
  run ? Date.parse(run.created_at) : (runStore.view(run_id)?.sent_at ?? Date.now())
