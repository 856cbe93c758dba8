import { IconThumbDown, IconThumbUp } from '@tabler/icons-react'
import type { RunRating } from '#contract/console/runs.ts'
import { formatDateTime } from '#domain/dateFormat.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './CallList.module.css'
import { callListMessages } from './messages.ts'

/** The rating of an answer; on hover, who gave it and when. */
export function RatingMark({ rating: { rating, person, at } }: { rating: RunRating }) {
  const t = useMessages(callListMessages)
  const Icon = RATING_ICONS[rating]
  return (
    <span
      className={classes.rating}
      title={t('ratedBy', { person: person ?? t('console'), at: formatDateTime(new Date(at)) })}
    >
      <Icon size={14} aria-hidden /> {t(rating)}
    </span>
  )
}

const RATING_ICONS = { like: IconThumbUp, dislike: IconThumbDown } as const
