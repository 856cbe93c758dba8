import { Button } from '@mantine/core'
import { contract } from '#contract/index.ts'
import { useWords } from '../../ui/words.ts'
import { useRead } from '../../wire/query.ts'
import { chatWords } from './messages.ts'
import classes from './Suggested.module.css'

export interface SuggestedProps {
  app: string
  message_id: string
  user: string
  onSuggestion: (question: string) => void
}

/** What the app suggests to ask next. An app in which that is switched off refuses, and then there is nothing to show. */
export function Suggested({ app, message_id, user, onSuggestion }: SuggestedProps) {
  const t = useWords(chatWords)
  const input = { key: app, params: { message_id }, query: { user } }
  const read = useRead(contract.adjacent.suggestedQuestions, input)
  const questions = read.isPlaceholderData ? [] : (read.data?.data?.filter(Boolean) ?? [])
  if (questions.length === 0) return null
  return (
    <ul className={classes.suggested} aria-label={t('suggested')}>
      {questions.map((question) => (
        <li key={question}>
          <Button variant="default" className={classes.suggestion} onClick={() => onSuggestion(question)}>
            {question}
          </Button>
        </li>
      ))}
    </ul>
  )
}
