import { useState } from 'react'
import { VisuallyHidden } from '@mantine/core'
import { useWords } from '../ui/words.ts'
import { runWords } from './messages.ts'
import { isOver, type Turn } from './turn.ts'

/** What a screen reader is read of an answer at its end. */
const READ = 2_000

/** Announces an answer once, when it is whole; one that was whole when the page came is not announced. */
export function TurnEnd({ turn }: { turn: Turn }) {
  const t = useWords(runWords)
  const over = isOver(turn)
  const [cameOver] = useState(over)
  if (cameOver) return null
  const words =
    turn.state === 'succeeded'
      ? t('answered', { text: turn.answer.text.slice(0, READ) })
      : t('ended', { state: turn.state })
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {over ? words : ''}
    </VisuallyHidden>
  )
}
