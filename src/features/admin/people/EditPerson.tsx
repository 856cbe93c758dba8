import { Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { peopleEndpoints, type Member } from '#contract/console/people.ts'
import { accessEndpoints } from '#contract/console/access.ts'
import { SideDrawer } from '../../../components/overlays/SideDrawer.tsx'
import fields from '../../../components/forms/Fields.module.css'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useIsChanged } from '../../../components/hooks/useIsChanged.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead, useWrite } from '../../../client/query.ts'
import { GrantsField } from './GrantsField.tsx'
import type { SignInLink } from './SignInLinkDialog.tsx'
import { peopleMessages } from './messages.ts'
import classes from './People.module.css'
import { RoleField } from './RoleField.tsx'

export interface EditPersonProps {
  person: Member
  onClose: () => void
  onLink: (made: SignInLink) => void
}

/** An admin edits a person: role, access scope, disabled state. */
export function EditPerson({ person, onClose, onLink }: EditPersonProps) {
  const t = useMessages(peopleMessages)
  const save = useWrite(peopleEndpoints.updatePerson)
  const [role, setRole] = useState(person.role)
  const [accessScope, setAccessScope] = useState({ isNarrowed: person.narrowed, grants: person.grants })
  const isDirty = useIsChanged([role, accessScope])
  const params = { person_id: person.id }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(
      { params, body: { role, narrowed: accessScope.isNarrowed, grants: accessScope.grants } },
      { onSuccess: onClose },
    )
  }
  return (
    <SideDrawer onClose={onClose} title={person.name} size={500} isDirty={isDirty}>
      <form className={fields.form} onSubmit={submit}>
        <RoleField role={role} onChange={setRole} />
        {role === person.role ? null : <p className={fields.note}>{t('roleNote')}</p>}
        {role === 'admin' ? (
          <p className={fields.note}>{t('accessAdmin')}</p>
        ) : (
          <GrantsField {...accessScope} onChange={setAccessScope} />
        )}
        {save.error ? <ProblemAlert problem={save.error.problem} action={t('saveWhat')} isInForm /> : null}
        <div className={fields.buttons}>
          <Button type="submit" loading={save.isPending}>
            {t('save')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
        </div>
      </form>
      <PersonActions person={person} onLink={onLink} />
    </SideDrawer>
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
    <section className={classes.actions}>
      {isDisabled ? null : (
        <>
          {isSelf ? null : (
            <div>
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
              <p>{t('newLinkHelp')}</p>
            </div>
          )}
          <div>
            <Button variant="default" loading={leave.isPending} onClick={() => leave.mutate({ params })}>
              {t('signOut')}
            </Button>
            <p>{t('signOutHelp')}</p>
          </div>
        </>
      )}
      <div>
        <Button
          variant="default"
          color={isDisabled ? undefined : 'red'}
          loading={change.isPending}
          onClick={() => change.mutate({ params, body: { disabled: !isDisabled } })}
        >
          {isDisabled ? t('enable') : t('disable')}
        </Button>
        <p>{t('disableHelp')}</p>
      </div>
      {problem ? <ProblemAlert problem={problem} action={t('saveWhat')} isInForm /> : null}
    </section>
  )
}
