import { Button, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { accessEndpoints } from '#contract/console/access.ts'
import { peopleEndpoints, type Member } from '#contract/console/people.ts'
import { useRead, useWrite } from '../../../client/query.ts'
import { FormDrawer } from '../../../components/forms/FormDrawer.tsx'
import { useContractForm } from '../../../components/forms/useContractForm.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { AccessFields } from './AccessFields.tsx'
import type { SignInLink } from './SignInLinkDialog.tsx'
import { peopleMessages } from './messages.ts'

export interface EditPersonProps {
  person: Member
  onClose: () => void
  onLink: (made: SignInLink) => void
}

/** An admin edits a person: role, access scope, disabled state. */
export function EditPerson({ person, onClose, onLink }: EditPersonProps) {
  const t = useMessages(peopleMessages)
  const save = useWrite(peopleEndpoints.updatePerson)
  const { role, narrowed, grants } = person
  const form = useContractForm({
    schema: peopleEndpoints.updatePerson.body,
    initialValues: { role, narrowed, grants },
    send: (body) => save.mutateAsync({ params: { person_id: person.id }, body }),
    onDone: onClose,
  })
  return (
    <FormDrawer
      form={form}
      title={person.name}
      size={500}
      submitLabel={t('save')}
      action={t('saveWhat')}
      onClose={onClose}
      footer={<PersonActions person={person} onLink={onLink} />}
    >
      <AccessFields
        role={form.controlled('role')}
        isNarrowed={form.controlled('narrowed')}
        grants={form.controlled('grants')}
        currentRole={role}
      />
    </FormDrawer>
  )
}

function PersonActions({ person, onLink }: Omit<EditPersonProps, 'onClose'>) {
  const t = useMessages(peopleMessages)
  const params = { person_id: person.id }
  const link = useWrite(peopleEndpoints.createPersonLink)
  const leave = useWrite(peopleEndpoints.signOutPerson)
  const change = useWrite(peopleEndpoints.updatePerson)
  const isSelf = useRead(accessEndpoints.session, {}).data?.person.id === person.id
  const isDisabled = person.disabled_at !== null
  const problem = link.error?.problem ?? leave.error?.problem ?? change.error?.problem
  return (
    <Stack component="section" mt="sm" pt="lg" style={{ borderTop: '1px solid var(--line)' }}>
      {isDisabled || isSelf ? null : (
        <PersonAction help={t('newLinkHelp')}>
          <Button
            variant="default"
            loading={link.isPending}
            onClick={() =>
              link.mutate(
                { params },
                { onSuccess: (createdLink) => onLink({ name: person.name, token: createdLink.link }) },
              )
            }
          >
            {t('newLink')}
          </Button>
        </PersonAction>
      )}
      {isDisabled ? null : (
        <PersonAction help={t('signOutHelp')}>
          <Button variant="default" loading={leave.isPending} onClick={() => leave.mutate({ params })}>
            {t('signOut')}
          </Button>
        </PersonAction>
      )}
      <PersonAction help={t('disableHelp')}>
        <Button
          variant="default"
          color={isDisabled ? undefined : 'red'}
          loading={change.isPending}
          onClick={() => change.mutate({ params, body: { disabled: !isDisabled } })}
        >
          {isDisabled ? t('enable') : t('disable')}
        </Button>
      </PersonAction>
      {problem ? <ProblemAlert problem={problem} action={t('saveWhat')} isInForm /> : null}
    </Stack>
  )
}

const PersonAction = ({ help, children }: { help: string; children: ReactNode }) => (
  <Stack gap={4} align="start">
    {children}
    <Text c="dimmed" fz="sm">
      {help}
    </Text>
  </Stack>
)
