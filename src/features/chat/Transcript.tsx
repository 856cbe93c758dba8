import { Button } from '@mantine/core'
import { IconArrowDown } from '@tabler/icons-react'
import { type ReactElement, Suspense } from 'react'
import classes from './Transcript.module.css'
import type { BranchedTurn } from './transcript.ts'
import { useStickToEnd } from './useStickToEnd.ts'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { part } from '../../ui/part.tsx'
import { useWords } from '../../ui/words.ts'
import { chatWords } from './messages.ts'

const Virtualizer = part(async () => (await import('virtua')).Virtualizer)

/** From so many turns on only those in sight are in the page. */
const MANY = 50

export interface TranscriptProps {
  /** Names the conversation: another one is shown from its end. */
  subject: string
  /** What stands before the turns. */
  head: readonly ReactElement[]
  turns: readonly BranchedTurn[]
  isBusy: boolean
  turn: (turn: BranchedTurn) => ReactElement
}

/** The turns of a conversation, oldest first. It follows the newest words until one scrolls away from them. */
export function Transcript({ subject, head, turns, isBusy, turn }: TranscriptProps) {
  const t = useWords(chatWords)
  const { view, content, isAway, jump } = useStickToEnd(subject)
  return (
    <div className={classes.frame}>
      <div
        ref={view}
        className={classes.view}
        role="log"
        aria-label={t('transcript')}
        aria-live="off"
        aria-busy={isBusy}
        tabIndex={0}
      >
        <div ref={content} className={classes.column}>
          <Suspense fallback={<SkeletonRows rows={5} height={72} />}>
            {head.length + turns.length > MANY ? (
              <Virtualizer scrollRef={view}>{[...head, ...turns.map(turn)]}</Virtualizer>
            ) : (
              [...head, ...turns.map(turn)]
            )}
          </Suspense>
        </div>
      </div>
      {isAway ? (
        <Button className={classes.jump} variant="default" leftSection={<IconArrowDown size={14} />} onClick={jump}>
          {t('newest')}
        </Button>
      ) : null}
    </div>
  )
}
