import { Button, Drawer, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { contract } from '#contract/index.ts'
import type { Role } from '#contract/roles.ts'
import fields from '../../ui/fields/Fields.module.css'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useWords } from '../../ui/words.ts'
import { useWrite } from '../../wire/query.ts'
import type { MadeLink } from './LinkDialog.tsx'
import { peopleWords } from './messages.ts'
import { RoleField } from './RoleField.tsx'

export interface InvitePersonProps {
  opened: boolean
  onClose: () => void
  onLink: (made: MadeLink) => void
}

/** Makes a person, and the link with which they come in. */
export function InvitePerson({ opened, onClose, onLink }: InvitePersonProps) {
  const t = useWords(peopleWords)
  const invite = useWrite(contract.console.invitePerson)
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const wrong = invite.error?.problem.fields?.find(({ path }) => path === 'body.name')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    invite.mutate(
      { body: { name, role } },
      {
        onSuccess: (made) => {
          setName('')
          setRole('viewer')
          onClose()
          onLink({ name: made.name, token: made.link })
        },
      },
    )
  }
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      title={t('inviteTitle')}
      size={460}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <form className={fields.form} onSubmit={submit} noValidate>
        <TextInput
          label={t('name')}
          description={t('nameHelp')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={wrong?.message}
          autoComplete="off"
          data-autofocus
        />
        <RoleField role={role} onChange={setRole} />
        {invite.error && !wrong ? <ProblemNote problem={invite.error.problem} what={t('inviteWhat')} isAtForm /> : null}
        <div className={fields.buttons}>
          <Button type="submit" loading={invite.isPending}>
            {t('inviteDo')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
        </div>
      </form>
    </Drawer>
  )
}
