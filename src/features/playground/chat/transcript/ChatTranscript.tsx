import { Box, Button, Flex } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { type ReactElement, type ReactNode, Suspense } from 'react'
import type { Key } from '#contract/console/workspaces.ts'
import { lazyWithPreload } from '../../../../components/layout/lazyWithPreload.tsx'
import { ProblemAlert } from '../../../../components/layout/ProblemAlert.tsx'
import { SkeletonRows } from '../../../../components/layout/SkeletonRows.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import type { ChatRoute } from '../chatRoute.ts'
import { transcriptMessages } from './messages.ts'
import { PlatformMessageView } from './PlatformMessageView.tsx'
import classes from './Transcript.module.css'
import { type BranchedTurn, getShownBranch } from './transcriptTurns.ts'
import { type TurnActions, TurnView } from './TurnView.tsx'
import type { PlatformMessages } from './usePlatformMessages.ts'
import { useStickToBottom } from './useStickToBottom.ts'

const LazyVirtualizer = lazyWithPreload(async () => (await import('virtua')).Virtualizer)

/** From this number of turns on, the list is virtualized. */
const VIRTUALIZE_MIN_TURNS = 50

export interface ChatTranscriptProps {
  workspace: string
  app: Key
  turns: readonly BranchedTurn[]
  platformMessages: PlatformMessages
  /** The newest run that was sent from here. */
  lastOwnRun: string
  isBusy: boolean
  route: Pick<ChatRoute, 'run' | 'source' | 'branches'>
  /** The question that is being edited, with its new text. */
  edit: { run_id: string; query: string } | null
  /** The run below which the app's suggested questions are shown; null for none. */
  suggestedFor: string | null
  actions: TurnActions
  /** Whether the person may send, and so resend. */
  canSend: boolean
}

/** The turns of a conversation, oldest first. It follows new text until the person scrolls away. */
export function ChatTranscript(props: ChatTranscriptProps) {
  const { workspace, app, turns, platformMessages, lastOwnRun, isBusy, route, edit, suggestedFor, actions, canSend } =
    props
  const t = useMessages(transcriptMessages)
  // Another conversation starts at its end. So does a new question; after resending an older one, the view stays.
  const { view: viewport, content, isAway, jump } = useStickToBottom(`${turns[0]?.id} ${lastOwnRun}`)
  const renderTurn = (turn: BranchedTurn) => {
    const { run_id, run } = getShownBranch(turn, route.branches, route.run)
    return (
      <TurnView
        key={turn.id}
        run_id={run_id}
        run={run}
        branches={turn.branches.map((branch) => branch.run_id).join()}
        workspace={workspace}
        app={app}
        source={run_id === route.run ? route.source : null}
        edited={edit?.run_id === run_id ? edit.query : null}
        rating={run?.message_id ? (platformMessages.ratings.get(run.message_id) ?? null) : null}
        showsSuggestions={run_id === suggestedFor}
        actions={actions}
        canSend={canSend}
      />
    )
  }
  const rows = [...useEarlierRows(platformMessages, app, workspace), ...turns.map(renderTurn)]
  return (
    <Box pos="relative" flex={1} mih={0}>
      <div
        ref={viewport}
        className={classes.view}
        role="log"
        aria-label={t('transcript')}
        aria-live="off"
        aria-busy={isBusy}
        tabIndex={0}
      >
        <div ref={content} className={classes.column}>
          <Suspense fallback={<SkeletonRows rows={5} height={72} />}>
            {rows.length > VIRTUALIZE_MIN_TURNS ? <LazyVirtualizer scrollRef={viewport}>{rows}</LazyVirtualizer> : rows}
          </Suspense>
        </div>
      </div>
      {isAway ? (
        <Button className={classes.jump} variant="default" leftSection={<IconArrowDown size={14} />} onClick={jump}>
          {t('newest')}
        </Button>
      ) : null}
    </Box>
  )
}

/** What precedes the first turn: older messages from the platform, and where they end. */
function useEarlierRows(platformMessages: PlatformMessages, app: Key, workspace: string): ReactElement[] {
  const t = useMessages(transcriptMessages)
  const { earlier, messages, user, error, retry, readOlder, isReadingOlder, newestTurnCount } = platformMessages
  if (newestTurnCount !== null)
    return [<TranscriptNote key="cut">{t('turnsCut', { count: newestTurnCount })}</TranscriptNote>]
  return [
    ...(error
      ? [<ProblemAlert key="refused" problem={error.problem} action={t('readMessages')} onRetry={retry} />]
      : []),
    ...(readOlder && earlier.length > 0
      ? [
          <TranscriptNote key="older">
            <Button
              variant="default"
              leftSection={<IconArrowUp size={14} />}
              loading={isReadingOlder}
              onClick={readOlder}
            >
              {t('readOlder')}
            </Button>
          </TranscriptNote>,
        ]
      : []),
    ...earlier.map((message) => (
      <PlatformMessageView key={message.id} message={message} app={app} workspace={workspace} user={user} />
    )),
    ...(earlier.length > 0 && earlier.length < messages.length
      ? [<TranscriptNote key="seen">{t('recordedFromHere')}</TranscriptNote>]
      : []),
  ]
}

function TranscriptNote({ children }: { children: ReactNode }) {
  return (
    <Flex justify="center" py="sm" c="var(--text-3)" fz="sm">
      {children}
    </Flex>
  )
}
