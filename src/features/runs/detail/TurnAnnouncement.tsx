import { useState } from 'react'
import { VisuallyHidden } from '@mantine/core'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { isSuccessStatus } from '#contract/console/runs.ts'
import { runMessages } from './messages.ts'
import { isTurnOver, mayBeCut, type Turn } from '../turn.ts'
import { truncateText } from '#contract/truncatedText.ts'

/** Maximum characters of an answer announced to a screen reader. */
const MAX_ANNOUNCED_CHARS = 2_000

/** Announces an answer once, when it is complete; one that was complete on page load is not announced. */
export function TurnAnnouncement({ turn }: { turn: Turn }) {
  const t = useMessages(runMessages)
  const over = isTurnOver(turn)
  const [wasOver] = useState(over)
  if (wasOver) return null
  const announcement = isSuccessStatus(turn.state)
    ? t(mayBeCut(turn) ? 'answeredUnmeasured' : 'answered', {
        text: truncateText(turn.answer.text, MAX_ANNOUNCED_CHARS),
      })
    : turn.state === 'paused'
      ? t('pausedNow')
      : t('ended', { state: turn.state === 'unsent' ? 'not sent' : turn.state })
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {over ? announcement : ''}
    </VisuallyHidden>
  )
}
