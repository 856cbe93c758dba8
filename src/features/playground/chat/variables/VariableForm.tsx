import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import {
  type ConversationVariable,
  optionalConversationVariableEndpoints,
} from '#contract/platform/optionalConversationVariables.ts'
import { isSubmitShortcut, MODIFIER_KEY } from '../../../../components/hooks/modifierKey.ts'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { useWrite } from '../../../../client/query.ts'
import { variableMessages } from './messages.ts'
import { getVariableControl, parseVariableInput, toVariableInput } from './variableInput.ts'
import classes from './VariablesTab.module.css'

export interface VariableFormProps {
  variable: ConversationVariable
  label: string
  app: string
  conversation: string
  user: string | undefined
  onDone: () => void
}

/** Edits the value of a variable. What is typed stays where the list is read again, and where the platform refuses it. */
export function VariableForm({ variable, label, app, conversation, user, onDone }: VariableFormProps) {
  const t = useMessages(variableMessages)
  const save = useWrite(optionalConversationVariableEndpoints.updateConversationVariable)
  const [input, setInput] = useState(() => toVariableInput(variable))
  const [isChecked, setChecked] = useState(false)
  const control = getVariableControl(variable.value_type)
  const parsed = parseVariableInput(variable.value_type, input)
  const submit = () => {
    setChecked(true)
    if (parsed.error || save.isPending) return
    save.mutate(
      {
        key: app,
        params: { conversation_id: conversation, variable_id: variable.id },
        body: { value: parsed.value, user },
      },
      { onSuccess: onDone },
    )
  }
  const change = (text: string) => {
    setInput(text)
    save.reset()
  }
  const field = {
    'aria-label': t('valueOf', { name: label }),
    value: input,
    autoFocus: true,
    error: isChecked && parsed.error ? t(parsed.error.code, { ...parsed.error }) : save.error?.problem.message,
  }
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          // A drawer around the form stays open.
          event.stopPropagation()
          onDone()
        }
        if (!isSubmitShortcut(event)) return
        event.preventDefault()
        submit()
      }}
    >
      {control === 'boolean' ? (
        <NativeSelect {...field} data={['true', 'false']} onChange={(event) => change(event.currentTarget.value)} />
      ) : null}
      {control === 'number' ? (
        <TextInput {...field} inputMode="decimal" onChange={(event) => change(event.currentTarget.value)} />
      ) : null}
      {control === 'text' || control === 'json' ? (
        <Textarea
          {...field}
          className={control === 'json' ? classes.code : undefined}
          autosize
          minRows={control === 'json' ? 4 : 2}
          maxRows={16}
          spellCheck={control === 'text'}
          dir={control === 'text' ? 'auto' : 'ltr'}
          onChange={(event) => change(event.currentTarget.value)}
        />
      ) : null}
      <div className={classes.buttons}>
        <Button type="submit" loading={save.isPending}>
          {t('save')}
        </Button>
        <Button variant="default" onClick={onDone}>
          {t('cancel')}
        </Button>
        <p className={classes.note}>{t('saveKeys', { modifier: MODIFIER_KEY })}</p>
      </div>
    </form>
  )
}
