import {
  optionalConversationVariableEndpoints,
  type ConversationVariable,
} from '#contract/platform/optionalConversationVariables.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { EmptyState } from '../../../../components/layout/EmptyState.tsx'
import { SkeletonRows } from '../../../../components/layout/SkeletonRows.tsx'
import { useRead, useWrite } from '../../../../client/query.ts'
import { usePermission } from '../../../../client/usePermission.ts'
import { InlineForm } from '../../../../components/forms/InlineForm.tsx'
import { useContractForm } from '../../../../components/forms/useContractForm.ts'
import { ReadBoundary } from '../../../../components/layout/ReadBoundary.tsx'
import { variableMessages } from './messages.ts'
import { ActionIcon, Box, Button, Flex, Group, NativeSelect, Text, Textarea, TextInput } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { z } from 'zod'
import { RawJson } from '../../../../components/data/json/RawJson.tsx'
import { RawText } from '../../../../components/data/json/RawText.tsx'
import { RelativeTime } from '../../../../components/data/RelativeTime.tsx'
import { MODIFIER_KEY } from '../../../../components/hooks/modifierKey.ts'
import { getVariableControl, parseVariableInput, toVariableInput } from './variableInput.ts'

/** The most variables that the platform lists at once. */
const MAX_VARIABLES = 100

export interface VariablesTabProps {
  app: Key
  conversation: string
  /** The owner of the conversation; the platform finds it under no other user. */
  user: string | undefined
}

/** The values that a chatflow keeps between the messages of a conversation. Needs its own mount (`key`) per conversation: a list keeps the former rows while the next ones load. */
export function VariablesTab({ app, conversation, user }: VariablesTabProps) {
  const t = useMessages(variableMessages)
  const can = usePermission()
  const list = useRead(optionalConversationVariableEndpoints.listConversationVariables, {
    key: app.id,
    params: { conversation_id: conversation },
    query: { user, limit: MAX_VARIABLES },
  })
  const canEdit =
    app.offers.includes('updateConversationVariable') &&
    can(optionalConversationVariableEndpoints.updateConversationVariable)
  return (
    <ReadBoundary
      read={list}
      action={t('listWhat')}
      loading={<SkeletonRows rows={3} height={64} />}
      isEmpty={({ data }) => data.length === 0}
      empty={<EmptyState title={t('none')}>{t('noneWhy')}</EmptyState>}
    >
      {({ data: variables, has_more }) => (
        <>
          <Flex component="ul" direction="column" gap="sm">
            {variables.map((variable) => (
              <VariableRow
                key={variable.id}
                variable={variable}
                app={app.id}
                conversation={conversation}
                user={user}
                canEdit={canEdit}
              />
            ))}
          </Flex>
          {has_more ? (
            <Text mt="sm" c="var(--text-3)" fz="sm">
              {t('truncated', { count: MAX_VARIABLES })}
            </Text>
          ) : null}
        </>
      )}
    </ReadBoundary>
  )
}

interface VariableRowProps {
  variable: ConversationVariable
  app: string
  conversation: string
  user: string | undefined
  canEdit: boolean
}

/** A variable with its value; the form of its value while it is edited. */
function VariableRow({ variable, app, conversation, user, canEdit }: VariableRowProps) {
  const t = useMessages(variableMessages)
  const [isEditing, setEditing] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const { name, value_type, description, updated_at, value } = variable
  const label = name ?? variable.id
  return (
    <Flex
      component="li"
      direction="column"
      gap="xs"
      miw={0}
      px="md"
      py="sm"
      bd="1px solid var(--line)"
      bdrs="lg"
      fz={13}
      aria-label={label}
    >
      <Group gap="sm" wrap="nowrap" mih={24}>
        <Box
          component="h3"
          ref={heading}
          m={0}
          fz="inherit"
          fw={550}
          tabIndex={-1}
          style={{ overflowWrap: 'anywhere' }}
        >
          {label}
        </Box>
        <Box component="code" flex={1} c="dimmed" fz="sm">
          {value_type}
        </Box>
        {canEdit && !isEditing ? (
          <ActionIcon size={24} aria-label={t('editValue', { name: label })} onClick={() => setEditing(true)}>
            <IconPencil size={14} />
          </ActionIcon>
        ) : null}
      </Group>
      {description ? (
        <Text c="dimmed" fz="inherit" dir="auto" style={{ overflowWrap: 'anywhere' }}>
          {description}
        </Text>
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
        <Text c="var(--text-3)" fz="sm">
          {t('updated')} <RelativeTime at={updated_at} />
        </Text>
      ) : null}
    </Flex>
  )
}

const MAX_INLINE_JSON_CHARS = 60
const MAX_INLINE_TEXT_CHARS = 600

function VariableValue({ value, label }: { value: unknown; label: string }) {
  const t = useMessages(variableMessages)
  if (value === null || value === undefined || value === '')
    return (
      <Text c="var(--text-3)" fz="inherit">
        {t(value === '' ? 'emptyText' : 'notSet')}
      </Text>
    )
  if (typeof value === 'string') {
    if (value.length > MAX_INLINE_TEXT_CHARS) return <RawText text={value} label={label} />
    return (
      <Text fz="inherit" dir="auto" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {value}
      </Text>
    )
  }
  const text = JSON.stringify(value)
  if (text.length <= MAX_INLINE_JSON_CHARS) return <code style={{ overflowWrap: 'anywhere' }}>{text}</code>
  return <RawJson value={value} label={label} />
}

interface VariableFormProps {
  variable: ConversationVariable
  label: string
  app: string
  conversation: string
  user: string | undefined
  onDone: () => void
}

/** Edits the value of a variable. What is typed stays where the list is read again, and where the platform refuses it. */
function VariableForm({ variable, label, app, conversation, user, onDone }: VariableFormProps) {
  const t = useMessages(variableMessages)
  const save = useWrite(optionalConversationVariableEndpoints.updateConversationVariable)
  const control = getVariableControl(variable.value_type)
  const form = useContractForm({
    schema: z.object({
      value: z.string().transform((input, context) => {
        const parsed = parseVariableInput(variable.value_type, input)
        if (!parsed.error) return parsed.value
        context.addIssue({ code: 'custom', message: t(parsed.error.code, { ...parsed.error }) })
        return z.NEVER
      }),
    }),
    initialValues: { value: toVariableInput(variable) },
    send: ({ value }) =>
      save.mutateAsync({
        key: app,
        params: { conversation_id: conversation, variable_id: variable.id },
        body: { value, user },
      }),
    onDone,
  })
  const field = {
    ...form.field('value'),
    label: undefined,
    'aria-label': t('valueOf', { name: label }),
    autoFocus: true,
  }
  return (
    <Box
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        // A drawer around the form stays open.
        event.stopPropagation()
        onDone()
      }}
    >
      <InlineForm form={form} action={t('saveWhat')}>
        {control === 'boolean' ? <NativeSelect {...field} data={['true', 'false']} /> : null}
        {control === 'number' ? <TextInput {...field} inputMode="decimal" /> : null}
        {control === 'text' || control === 'json' ? (
          <Textarea
            {...field}
            styles={control === 'json' ? { input: { fontFamily: 'var(--mantine-font-family-monospace)' } } : undefined}
            autosize
            minRows={control === 'json' ? 4 : 2}
            maxRows={16}
            spellCheck={control === 'text'}
            dir={control === 'text' ? 'auto' : 'ltr'}
          />
        ) : null}
        <Group gap="sm">
          <Button type="submit" loading={form.isPending}>
            {t('save')}
          </Button>
          <Button variant="default" onClick={onDone}>
            {t('cancel')}
          </Button>
          <Text c="var(--text-3)" fz="sm">
            {t('saveKeys', { modifier: MODIFIER_KEY })}
          </Text>
        </Group>
      </InlineForm>
    </Box>
  )
}
