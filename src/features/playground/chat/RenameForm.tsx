import { Box, Button, Flex, TextInput } from '@mantine/core'
import { IconSparkles } from '@tabler/icons-react'
import { useState } from 'react'
import { chatEndpoints } from '#contract/platform/chat.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useWrite } from '../../../client/query.ts'
import { chatMessages } from './messages.ts'

export interface RenameFormProps {
  app: string
  conversation: string
  label: string
  /** The owner of the conversation; the platform finds it under no other user. */
  user: string | null
  onDone: () => void
}

/** Renames the conversation in place (operation 15): with a typed name or one that the platform generates. */
export function RenameForm({ app, conversation, label, user, onDone }: RenameFormProps) {
  const t = useMessages(chatMessages)
  const [name, setName] = useState(label)
  const saveName = useWrite(chatEndpoints.rename)
  const rename = (body: { name?: string; auto_generate?: boolean }) =>
    saveName.mutate(
      { key: app, params: { conversation_id: conversation }, body: { user: user ?? '', ...body } },
      { onSuccess: onDone },
    )
  return (
    <Flex
      component="form"
      wrap="wrap"
      align="center"
      gap="xs"
      flex={1}
      miw={0}
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() !== '') rename({ name: name.trim() })
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onDone()
      }}
    >
      <TextInput
        flex="1 1 180px"
        aria-label={t('renameLabel')}
        maxLength={255}
        autoFocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button type="submit" loading={saveName.isPending} disabled={name.trim() === ''}>
        {t('save')}
      </Button>
      <Button
        variant="default"
        leftSection={<IconSparkles size={14} />}
        disabled={saveName.isPending}
        onClick={() => rename({ auto_generate: true })}
      >
        {t('renameAuto')}
      </Button>
      <Button variant="subtle" color="gray" onClick={onDone}>
        {t('cancel')}
      </Button>
      {saveName.error ? (
        <Box flex="1 0 100%">
          <ProblemAlert problem={saveName.error.problem} action={t('renameWhat')} />
        </Box>
      ) : null}
    </Flex>
  )
}
