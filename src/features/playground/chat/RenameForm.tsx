import { Box, Button, TextInput } from '@mantine/core'
import { IconSparkles } from '@tabler/icons-react'
import { useWatch } from 'react-hook-form'
import { chatEndpoints } from '#contract/platform/chat.ts'
import { InlineForm } from '../../../components/forms/InlineForm.tsx'
import { useContractForm } from '../../../components/forms/useContractForm.ts'
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

/** Renames the conversation in place (operation 15), with a typed or generated name. */
export function RenameForm({ app, conversation, label, user, onDone }: RenameFormProps) {
  const t = useMessages(chatMessages)
  const saveName = useWrite(chatEndpoints.rename)
  const generateName = useWrite(chatEndpoints.rename)
  const target = { key: app, params: { conversation_id: conversation } }
  const form = useContractForm({
    schema: chatEndpoints.rename.body,
    initialValues: { name: label },
    toBody: ({ name }) => ({ user: user ?? '', name: name.trim() }),
    send: (body) => saveName.mutateAsync({ ...target, body }),
    onDone,
  })
  const name = useWatch({ control: form.form.control, name: 'name' })
  return (
    <Box
      flex={1}
      miw={0}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onDone()
      }}
    >
      <InlineForm
        form={form}
        layout="row"
        submitLabel={t('save')}
        isSubmitDisabled={name.trim() === ''}
        action={t('renameWhat')}
        onCancel={onDone}
        buttons={
          <Button
            variant="default"
            leftSection={<IconSparkles size={14} />}
            loading={generateName.isPending}
            onClick={() =>
              generateName.mutate({ ...target, body: { user: user ?? '', auto_generate: true } }, { onSuccess: onDone })
            }
          >
            {t('renameAuto')}
          </Button>
        }
      >
        <TextInput
          {...form.field('name')}
          label={undefined}
          aria-label={t('renameLabel')}
          flex="1 1 180px"
          maxLength={255}
          autoFocus
          onFocus={(event) => event.currentTarget.select()}
        />
      </InlineForm>
      {generateName.error ? <ProblemAlert problem={generateName.error.problem} action={t('renameWhat')} /> : null}
    </Box>
  )
}
