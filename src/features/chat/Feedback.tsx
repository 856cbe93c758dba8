import { ActionIcon } from '@mantine/core'
import { IconThumbDown, IconThumbDownFilled, IconThumbUp, IconThumbUpFilled } from '@tabler/icons-react'
import { contract } from '#contract/index.ts'
import { Tooltip } from '../../ui/Tooltip.tsx'
import { useWords } from '../../ui/words.ts'
import { useWrite } from '../../wire/query.ts'
import classes from './Feedback.module.css'
import { chatWords } from './messages.ts'

export interface FeedbackProps {
  app: string
  message_id: string
  /** The user of the run; the message is found under no other. */
  user: string
  /** What the platform holds, where it tells; null for none, or where that is not known. */
  rating: string | null
}

/** A person's word on an answer, kept by the platform. The same word once more takes it back. */
export function Feedback({ app, message_id, user, rating }: FeedbackProps) {
  const t = useWords(chatWords)
  const write = useWrite(contract.adjacent.feedback)
  const said = write.variables?.body.rating
  const held = write.isSuccess || write.isPending ? (said ?? null) : rating
  const rate = (word: 'like' | 'dislike') =>
    write.mutate({ key: app, params: { message_id }, body: { rating: held === word ? null : word, user } })
  return (
    <span className={classes.feedback} role="group" aria-label={t('feedback')}>
      {(['like', 'dislike'] as const).map((word) => {
        const Icon = ICONS[word][held === word ? 1 : 0]
        return (
          <Tooltip key={word} label={t(held === word ? 'takeBack' : word)}>
            <ActionIcon
              aria-label={t(word)}
              aria-pressed={held === word}
              disabled={write.isPending}
              onClick={() => rate(word)}
            >
              <Icon size={15} />
            </ActionIcon>
          </Tooltip>
        )
      })}
      {write.error ? (
        <span className={classes.refusal} role="alert">
          {t('feedbackRefused', { reason: write.error.problem.message })}
        </span>
      ) : null}
    </span>
  )
}

const ICONS = { like: [IconThumbUp, IconThumbUpFilled], dislike: [IconThumbDown, IconThumbDownFilled] } as const
