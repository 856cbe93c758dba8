import type { ReactElement } from 'react'
import type { Key } from '#contract/console.ts'
import { runs } from '../../wire/useRun.ts'
import { MessageView } from './MessageView.tsx'
import { TranscriptNote } from './TranscriptNote.tsx'
import type { TurnRow } from './transcript.ts'
import { unseenOf, type usePlatformMessages } from './usePlatformMessages.ts'

export interface HeadParts {
  told: ReturnType<typeof usePlatformMessages>
  rows: readonly TurnRow[]
  app: Key
  workspace: string
  user: string
  /** There are older turns than the rows. */
  isCut: boolean
}

/** What stands over the first turn of a transcript: what the platform has said before, and where that ends. */
export function headOf({ told, rows, app, workspace, user, isCut }: HeadParts): ReactElement[] {
  if (isCut) return [<TranscriptNote key="cut" kind="cut" count={rows.length} />]
  const seen = new Set(rows.flatMap((row) => messageOf(row) ?? []))
  const first = rows[0]
  const from = first ? beginOf(first) - SKEW : null
  const unseen = unseenOf(told.messages, seen, from)
  const isWhole = unseen.length === told.messages.length
  return [
    ...(told.error
      ? [<TranscriptNote key="refused" kind="refused" problem={told.error.problem} onRetry={told.retry} />]
      : []),
    ...(told.readOlder && unseen.length > 0
      ? [<TranscriptNote key="older" kind="older" busy={told.isReadingOlder} onRead={told.readOlder} />]
      : []),
    ...unseen.map((message) => (
      <MessageView key={message.id} message={message} app={app} workspace={workspace} user={user} />
    )),
    ...(unseen.length > 0 && !isWhole ? [<TranscriptNote key="seen" kind="seen" />] : []),
  ]
}

/** Platforms keep whole seconds, by a clock of their own. What falls so near to the first turn is that turn's own message. */
const SKEW = 5_000

const messageOf = ({ run, run_id }: TurnRow): string | null =>
  run?.message_id ?? (runs.view(run_id)?.state as { message_id?: string | null } | undefined)?.message_id ?? null

const beginOf = ({ run, run_id }: TurnRow): number =>
  run ? Date.parse(run.created_at) : (runs.view(run_id)?.sent_at ?? Date.now())
