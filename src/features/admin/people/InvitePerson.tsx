import { Button, Drawer, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { paths } from '#domain/paths.ts'
import type { Role } from '#contract/permissions.ts'
import { peopleEndpoints, type Grant } from '#contract/console/people.ts'
import { accessEndpoints } from '#contract/console/access.ts'
import fields from '../../../components/forms/Fields.module.css'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead, useWrite } from '../../../client/query.ts'
import { GrantsField } from './GrantsField.tsx'
import type { SignInLink } from './SignInLinkDialog.tsx'
import { peopleMessages } from './messages.ts'
import { RoleField } from './RoleField.tsx'

export interface InvitePersonProps {
  opened: boolean
  onClose: () => void
  onLink: (made: SignInLink) => void
}

const ALL_WORKSPACES: { isNarrowed: boolean; grants: Grant[] } = { isNarrowed: false, grants: [] }

/** Creates a person, with their access, and their sign-in link. */
export function InvitePerson({ opened, onClose, onLink }: InvitePersonProps) {
  const t = useMessages(peopleMessages)
  const invite = useWrite(peopleEndpoints.invitePerson)
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const [accessScope, setAccessScope] = useState(ALL_WORKSPACES)
  const session = useRead(accessEndpoints.session, {})
  const fieldErrors = invite.error?.problem.fields?.find(({ path }) => path === 'body.name')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    invite.mutate(
      {
        body: {
          name,
          role,
          ...(role === 'admin' ? {} : { narrowed: accessScope.isNarrowed, grants: accessScope.grants }),
        },
      },
      {
        onSuccess: (createdLink) => {
          setName('')
          setRole('viewer')
          setAccessScope(ALL_WORKSPACES)
          onClose()
          onLink({ name: createdLink.name, token: createdLink.link })
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
          error={fieldErrors?.message}
          autoComplete="off"
          data-autofocus
        />
        <RoleField role={role} onChange={setRole} />
        {role === 'admin' ? (
          <p className={fields.note}>{t('accessAdmin')}</p>
        ) : (
          <GrantsField {...accessScope} onChange={setAccessScope} />
        )}
        {session.data?.has_account === false ? (
          <p className={fields.note}>
            {t.rich('passwordFirst', { account: (chunks) => <Link to={paths.account()}>{chunks}</Link> })}
          </p>
        ) : null}
        {invite.error && !fieldErrors ? (
          <ProblemAlert problem={invite.error.problem} action={t('inviteWhat')} isInForm />
        ) : null}
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
