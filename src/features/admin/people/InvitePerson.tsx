import { TextInput } from '@mantine/core'
import { Link } from 'react-router'
import { accessEndpoints } from '#contract/console/access.ts'
import { peopleEndpoints, type Grant } from '#contract/console/people.ts'
import type { Role } from '#contract/permissions.ts'
import { paths } from '#domain/paths.ts'
import { useRead, useWrite } from '../../../client/query.ts'
import fields from '../../../components/forms/Fields.module.css'
import { FormDrawer } from '../../../components/forms/FormDrawer.tsx'
import { useContractForm } from '../../../components/forms/useContractForm.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { AccessFields } from './AccessFields.tsx'
import { peopleMessages } from './messages.ts'
import type { SignInLink } from './SignInLinkDialog.tsx'

export interface InvitePersonProps {
  onClose: () => void
  onLink: (made: SignInLink) => void
}

const NEW_PERSON = { name: '', role: 'viewer' as Role, narrowed: false, grants: [] as Grant[] }

/** Creates a person, with their access, and their sign-in link. */
export function InvitePerson({ onClose, onLink }: InvitePersonProps) {
  const t = useMessages(peopleMessages)
  const session = useRead(accessEndpoints.session, {})
  // Also where the drawer was closed meanwhile: the link is shown only once.
  const invite = useWrite(peopleEndpoints.invitePerson, {
    onDone: ({ name, link }) => {
      onClose()
      onLink({ name, token: link })
    },
  })
  const form = useContractForm({
    schema: peopleEndpoints.invitePerson.body,
    initialValues: NEW_PERSON,
    toBody: ({ name, role, ...access }) => ({ name, role, ...(role === 'admin' ? {} : access) }),
    send: (body) => invite.mutateAsync({ body }),
  })
  return (
    <FormDrawer
      form={form}
      title={t('inviteTitle')}
      size={460}
      submitLabel={t('inviteDo')}
      action={t('inviteWhat')}
      onClose={onClose}
    >
      <TextInput
        {...form.field('name')}
        label={t('name')}
        description={t('nameHelp')}
        autoComplete="off"
        data-autofocus
      />
      <AccessFields
        role={form.controlled('role')}
        isNarrowed={form.controlled('narrowed')}
        grants={form.controlled('grants')}
      />
      {session.data?.has_account === false ? (
        <p className={fields.note}>
          {t.rich('passwordFirst', { account: (chunks) => <Link to={paths.account()}>{chunks}</Link> })}
        </p>
      ) : null}
    </FormDrawer>
  )
}
