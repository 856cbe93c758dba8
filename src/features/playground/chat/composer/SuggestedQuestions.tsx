import { Button } from '@mantine/core'
import { optionalMessageEndpoints } from '#contract/platform/optionalMessages.ts'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { useRead } from '../../../../client/query.ts'
import { chatMessages } from '../messages.ts'
import classes from './SuggestedQuestions.module.css'

export interface SuggestedQuestionsProps {
  app: string
  message_id: string
  user: string
  onSuggestion: (question: string, isEdited: boolean) => void
}

/** Suggested next questions. An app with the feature disabled returns an error; then nothing is shown. */
export function SuggestedQuestions({ app, message_id, user, onSuggestion }: SuggestedQuestionsProps) {
  const t = useMessages(chatMessages)
  const input = { key: app, params: { message_id }, query: { user } }
  const read = useRead(optionalMessageEndpoints.suggestedQuestions, input)
  const questions = read.data?.data?.filter(Boolean) ?? []
  if (questions.length === 0) return null
  return (
    <ul className={classes.suggested} aria-label={t('suggested')}>
      {questions.map((question) => (
        <li key={question}>
          <Button
            variant="default"
            className={classes.suggestion}
            title={t('suggestionWhy')}
            onClick={(event) => onSuggestion(question, event.altKey)}
          >
            {question}
          </Button>
        </li>
      ))}
    </ul>
  )
}
