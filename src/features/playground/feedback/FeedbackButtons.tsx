import { ActionIcon, Box, Flex } from '@mantine/core'
import { IconThumbDown, IconThumbDownFilled, IconThumbUp, IconThumbUpFilled } from '@tabler/icons-react'
import { optionalMessageEndpoints } from '#contract/platform/optionalMessages.ts'
import { Tooltip } from '../../../components/overlays/Tooltip.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useWrite } from '../../../client/query.ts'
import { feedbackMessages } from './messages.ts'

export interface FeedbackButtonsProps {
  app: string
  message_id: string
  /** The user of the run; the platform finds the message under no other. */
  user: string
  /** The rating stored by the platform; null for none or unknown. */
  rating: string | null
}

/** Rates an answer on the platform. The same rating again removes it. */
export function FeedbackButtons({ app, message_id, user, rating }: FeedbackButtonsProps) {
  const t = useMessages(feedbackMessages)
  const write = useWrite(optionalMessageEndpoints.feedback)
  const savedRating = write.variables?.body.rating
  const pressedRating = write.isSuccess || write.isPending ? (savedRating ?? null) : rating
  const rate = (ratingLabel: 'like' | 'dislike') =>
    write.mutate({
      key: app,
      params: { message_id },
      body: { rating: pressedRating === ratingLabel ? null : ratingLabel, user },
    })
  return (
    <Flex component="span" wrap="wrap" align="center" justify="end" gap={2} role="group" aria-label={t('feedback')}>
      {(['like', 'dislike'] as const).map((ratingLabel) => {
        const Icon = RATING_ICONS[ratingLabel][pressedRating === ratingLabel ? 1 : 0]
        return (
          <Tooltip key={ratingLabel} label={t(pressedRating === ratingLabel ? 'takeBack' : ratingLabel)}>
            <ActionIcon
              aria-label={t(ratingLabel)}
              aria-pressed={pressedRating === ratingLabel}
              disabled={write.isPending}
              onClick={() => rate(ratingLabel)}
            >
              <Icon size={15} />
            </ActionIcon>
          </Tooltip>
        )
      })}
      {write.error ? (
        <Box component="span" c="var(--failed-fg)" fz="sm" role="alert" style={{ order: -1 }}>
          {t('feedbackRefused', { reason: write.error.problem.message })}
        </Box>
      ) : null}
    </Flex>
  )
}

const RATING_ICONS = { like: [IconThumbUp, IconThumbUpFilled], dislike: [IconThumbDown, IconThumbDownFilled] } as const
