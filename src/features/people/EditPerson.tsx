import { Button, Drawer } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Member } from '#contract/access.ts'
import { contract } from '#contract/index.ts'
import fields from '../../ui/fields/Fields.module.css'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useWords } from '../../ui/words.ts'
import { useRead, useWrite } from '../../wire/query.ts'
import { GrantsField } from './GrantsField.tsx'
import type { MadeLink } from './LinkDialog.tsx'
import { peopleWords } from './messages.ts'
import classes from './People.module.css'
import { RoleField } from './RoleField.tsx'

export interface EditPersonProps {
  person: Member
  onClose: () => void
  onLink: (made: MadeLink) => void
}

/** What an admin changes of a person: role, what they see, and whether they come in at all. */
export function EditPerson({ person, onClose, onLink }: EditPersonProps) {
  const t = useWords(peopleWords)
  const save = useWrite(contract.console.updatePerson)
  const [role, setRole] = useState(person.role)
  const [reach, setReach] = useState({ narrowed: person.narrowed, grants: person.grants })
  const params = { person_id: person.id }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate({ params, body: { role, ...reach } }, { onSuccess: onClose })
  }
  return (
    <Drawer opened onClose={onClose} title={person.name} size={500} closeButtonProps={{ 'aria-label': t('close') }}>
      <form className={fields.form} onSubmit={submit}>
        <RoleField role={role} onChange={setRole} />
        {role === person.role ? null : <p className={fields.note}>{t('roleNote')}</p>}
        {role === 'admin' ? (
          <p className={fields.note}>{t('reachAdmin')}</p>
        ) : (
          <GrantsField {...reach} onChange={setReach} />
        )}
        {save.error ? <ProblemNote problem={save.error.problem} what={t('saveWhat')} isAtForm /> : null}
        <div className={fields.buttons}>
          <Button type="submit" loading={save.isPending}>
            {t('saveDo')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
        </div>
      </form>
      <Deeds person={person} onLink={onLink} />
    </Drawer>
  )
}

function Deeds({ person, onLink }: Omit<EditPersonProps, 'onClose'>) {
  const t = useWords(peopleWords)
  const params = { person_id: person.id }
  const link = useWrite(contract.console.linkPerson)
  const leave = useWrite(contract.console.signOutPerson)
  const change = useWrite(contract.console.updatePerson)
  const isSelf = useRead(contract.console.session, {}).data?.person.id === person.id
  const isDisabled = person.disabled_at !== null
  const problem = link.error?.problem ?? leave.error?.problem ?? change.error?.problem
  return (
    <section className={classes.deeds}>
      {isDisabled ? null : (
        <>
          {isSelf ? null : (
            <div>
              <Button
                variant="default"
                loading={link.isPending}
                onClick={() =>
                  link.mutate({ params }, { onSuccess: (made) => onLink({ name: person.name, token: made.link }) })
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
      {problem ? <ProblemNote problem={problem} what={t('saveWhat')} isAtForm /> : null}
    </section>
  )
}
