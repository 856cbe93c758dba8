import { ActionIcon } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { ConversationVariable } from '#contract/platform/optionalConversationVariables.ts'
import { RawJson } from '../../../../components/data/json/RawJson.tsx'
import { RawText } from '../../../../components/data/json/RawText.tsx'
import { RelativeTime } from '../../../../components/data/RelativeTime.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { variableMessages } from './messages.ts'
import { VariableForm } from './VariableForm.tsx'
import classes from './VariablesTab.module.css'

export interface VariableRowProps {
  variable: ConversationVariable
  app: string
  conversation: string
  user: string | undefined
  canEdit: boolean
}

/** A variable with its value; the form of its value while it is edited. */
export function VariableRow({ variable, app, conversation, user, canEdit }: VariableRowProps) {
  const t = useMessages(variableMessages)
  const [isEditing, setEditing] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const { name, value_type, description, updated_at, value } = variable
  const label = name ?? variable.id
  return (
    <li className={classes.variable} aria-label={label}>
      <div className={classes.head}>
        <h3 ref={heading} tabIndex={-1}>
          {label}
        </h3>
        <code>{value_type}</code>
        {canEdit && !isEditing ? (
          <ActionIcon size={24} aria-label={t('editValue', { name: label })} onClick={() => setEditing(true)}>
            <IconPencil size={14} />
          </ActionIcon>
        ) : null}
      </div>
      {description ? (
        <p className={classes.about} dir="auto">
          {description}
        </p>
      ) : null}
      {isEditing ? (
        <VariableForm
          variable={variable}
          label={label}
          app={app}
          conversation={conversation}
          user={user}
          onDone={() => {
            setEditing(false)
            heading.current?.focus()
          }}
        />
      ) : (
        <VariableValue value={value} label={t('valueOf', { name: label })} />
      )}
      {updated_at ? (
        <p className={classes.note}>
          {t('updated')} <RelativeTime at={updated_at} />
        </p>
      ) : null}
    </li>
  )
}

const MAX_INLINE_JSON_CHARS = 60
const MAX_INLINE_TEXT_CHARS = 600

function VariableValue({ value, label }: { value: unknown; label: string }) {
  const t = useMessages(variableMessages)
  if (value === null || value === undefined) return <p className={classes.missing}>{t('notSet')}</p>
  if (value === '') return <p className={classes.missing}>{t('emptyText')}</p>
  if (typeof value === 'string') {
    if (value.length > MAX_INLINE_TEXT_CHARS) return <RawText text={value} label={label} />
    return (
      <p className={classes.text} dir="auto">
        {value}
      </p>
    )
  }
  const text = JSON.stringify(value)
  if (text.length <= MAX_INLINE_JSON_CHARS) return <code className={classes.json}>{text}</code>
  return <RawJson value={value} label={label} />
}
