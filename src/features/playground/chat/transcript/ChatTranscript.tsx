import { Button } from '@mantine/core'
import { IconArrowDown } from '@tabler/icons-react'
import { type ReactElement, Suspense } from 'react'
import classes from './ChatTranscript.module.css'
import type { BranchedTurn } from './transcriptTurns.ts'
import { useStickToBottom } from './useStickToBottom.ts'
import { SkeletonRows } from '../../../../components/layout/SkeletonRows.tsx'
import { lazyWithPreload } from '../../../../components/layout/lazyWithPreload.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { chatMessages } from '../messages.ts'

const LazyVirtualizer = lazyWithPreload(async () => (await import('virtua')).Virtualizer)

/** From this number of turns on, the list is virtualized. */
const VIRTUALIZE_MIN_TURNS = 50

export interface ChatTranscriptProps {
  /** Identifies the conversation: another one starts at its end. */
  subject: string
  /** Rendered before the turns. */
  header: readonly ReactElement[]
  turns: readonly BranchedTurn[]
  isBusy: boolean
  renderTurn: (turn: BranchedTurn) => ReactElement
}

/** The turns of a conversation, oldest first. It follows new text until the person scrolls away. */
export function ChatTranscript({ subject, header, turns, isBusy, renderTurn }: ChatTranscriptProps) {
  const t = useMessages(chatMessages)
  const { view: viewport, content, isAway: isScrolledAway, jump: scrollToEnd } = useStickToBottom(subject)
  return (
    <div className={classes.frame}>
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
            {header.length + turns.length > VIRTUALIZE_MIN_TURNS ? (
              <LazyVirtualizer scrollRef={viewport}>{[...header, ...turns.map(renderTurn)]}</LazyVirtualizer>
            ) : (
              [...header, ...turns.map(renderTurn)]
            )}
          </Suspense>
        </div>
      </div>
      {isScrolledAway ? (
        <Button
          className={classes.jump}
          variant="default"
          leftSection={<IconArrowDown size={14} />}
          onClick={scrollToEnd}
        >
          {t('newest')}
        </Button>
      ) : null}
    </div>
  )
}
