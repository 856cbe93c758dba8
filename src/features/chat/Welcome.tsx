import { Button } from '@mantine/core'
import type { Parameters } from '#contract/workflows.ts'
import { Empty } from '../../ui/Empty.tsx'
import { useWords } from '../../ui/words.ts'
import { chatWords } from './messages.ts'
import classes from './Playground.module.css'

export interface WelcomeProps {
  app: string
  parameters: Parameters | undefined
  /** The conversation has an id, but this console has seen none of its turns. */
  isKnown: boolean
  /** Null for somebody who may not ask. */
  onSuggestion: ((question: string) => void) | null
}

/** A new conversation: the app's own opening, and the questions that it suggests. */
export function Welcome({ app, parameters, isKnown, onSuggestion }: WelcomeProps) {
  const t = useWords(chatWords)
  if (isKnown)
    return (
      <div className={classes.welcome}>
        <Empty title={t('noTurns')}>{t('noTurnsWhy')}</Empty>
      </div>
    )
  const questions = onSuggestion ? (parameters?.suggested_questions?.filter(Boolean) ?? []) : []
  return (
    <div className={classes.welcome}>
      <Empty
        title={app}
        actions={questions.map((question) => (
          <Button
            key={question}
            variant="default"
            className={classes.suggestion}
            onClick={() => onSuggestion?.(question)}
          >
            {question}
          </Button>
        ))}
      >
        <span className={classes.opening}>{parameters?.opening_statement || t('askWhy')}</span>
      </Empty>
    </div>
  )
}
