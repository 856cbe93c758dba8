import { Button } from '@mantine/core'
import type { AppParameters } from '#contract/platform/appParameters.ts'
import type { FormValues } from '../../../runs/inputs/inputFields.ts'
import { EmptyState } from '../../../../components/layout/EmptyState.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { chatMessages } from '../messages.ts'
import classes from '../Chat.module.css'

export interface WelcomePanelProps {
  app: string
  parameters: AppParameters | undefined
  /** The inputs as typed so far. */
  inputs: FormValues
  /** The conversation has an id, but this console has seen none of its turns. */
  hasConversation: boolean
  /** Null without permission to send. */
  onSuggestion: ((question: string, isEdited: boolean) => void) | null
}

/** A new conversation: the app's opening statement and its suggested questions. */
export function WelcomePanel({ app, parameters, inputs, hasConversation, onSuggestion }: WelcomePanelProps) {
  const t = useMessages(chatMessages)
  if (hasConversation)
    return (
      <div className={classes.welcome}>
        <EmptyState title={t('noTurns')}>{t('noTurnsWhy')}</EmptyState>
      </div>
    )
  const questions = parameters?.suggested_questions?.filter(Boolean) ?? []
  return (
    <div className={classes.welcome}>
      <EmptyState
        title={app}
        actions={
          onSuggestion
            ? questions.map((question) => (
                <SuggestedQuestion key={question} question={question} onSuggestion={onSuggestion} />
              ))
            : null
        }
      >
        {fillPlaceholders(parameters?.opening_statement ?? '', inputs) || t('askWhy')}
      </EmptyState>
    </div>
  )
}

export interface SuggestedQuestionProps {
  question: string
  onSuggestion: (question: string, isEdited: boolean) => void
}

/** A question that is sent by a click, or edited before. */
export function SuggestedQuestion({ question, onSuggestion }: SuggestedQuestionProps) {
  const t = useMessages(chatMessages)
  return (
    <Button
      variant="default"
      h="auto"
      mih={30}
      py={5}
      styles={{ label: { whiteSpace: 'normal' } }}
      title={t('suggestionWhy')}
      onClick={(event) => onSuggestion(question, event.altKey)}
    >
      {question}
    </Button>
  )
}

/** Platforms replace the names of inputs with their values; an input that is still empty is shown as `…`. */
export const fillPlaceholders = (statement: string, inputs: FormValues): string =>
  statement.replace(/\{\{\s*([\w.-]+)\s*\}\}/g, (_, name: string) => {
    const value = inputs[name]
    return typeof value === 'string' && value !== '' ? value : '…'
  })
