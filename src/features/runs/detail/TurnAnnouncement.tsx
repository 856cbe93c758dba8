import { useState } from 'react'
import { VisuallyHidden } from '@mantine/core'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { runMessages } from './messages.ts'
import { isTurnOver, type Turn } from '../turn.ts'

/** What a screen reader is read of an answer at its end. */
const MAX_ANNOUNCED_CHARS = 2_000

/** Announces an answer once, when it is whole; one that was whole when the page came is not announced. */
export function TurnAnnouncement({ turn }: { turn: Turn }) {
  const t = useMessages(runMessages)
  const over = isTurnOver(turn)
  const [wasOver] = useState(over)
  if (wasOver) return null
  const announcement =
    turn.state === 'succeeded'
      ? t('answered', { text: turn.answer.text.slice(0, MAX_ANNOUNCED_CHARS) })
      : t('ended', { state: turn.state })
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {over ? announcement : ''}
    </VisuallyHidden>
  )
}
