import { Button, Checkbox, PasswordInput, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Person } from '#contract/console/access.ts'
import { peopleEndpoints } from '#contract/console/people.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useWrite } from '../../../client/query.ts'
import classes from './Account.module.css'
import { accountMessages } from './messages.ts'

/** Sets the password, and for a new account the name. Errors are shown at their field. */
export function PasswordForm({ person, hasPassword }: { person: Person; hasPassword: boolean }) {
  const t = useMessages(accountMessages)
  const setPassword = useWrite(peopleEndpoints.setPassword)
  const [name, setName] = useState(person.name)
  const [isMismatch, setMismatch] = useState(false)
  const problem = setPassword.error?.problem
  const fieldErrors = (field: string) => problem?.fields?.find(({ path }) => path === `body.${field}`)?.message
  const isShownAtField = Boolean(fieldErrors('old') ?? fieldErrors('password') ?? fieldErrors('name'))
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const formData = (field: string) => (form.elements.namedItem(field) as HTMLInputElement | null)?.value ?? ''
    const password = formData('password')
    setMismatch(password !== formData('repeat'))
    if (password !== formData('repeat')) return
    setPassword.mutate(
      {
        body: hasPassword
          ? { password, old: formData('old'), revoke_tokens: new FormData(form).has('revoke_tokens') }
          : { password, name },
      },
      { onSuccess: () => form.reset() },
    )
  }
  const visibilityToggle = { 'aria-label': t('show') }
  return (
    <form className={classes.narrow} onSubmit={submit} noValidate>
      {hasPassword ? (
        <PasswordInput
          name="old"
          label={t('currentPassword')}
          autoComplete="current-password"
          error={fieldErrors('old')}
          visibilityToggleButtonProps={visibilityToggle}
        />
      ) : (
        <TextInput
          name="name"
          label={t('name')}
          autoComplete="username"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={fieldErrors('name')}
        />
      )}
      <PasswordInput
        name="password"
        label={t('newPassword')}
        description={t('newPasswordHelp')}
        autoComplete="new-password"
        error={fieldErrors('password')}
        visibilityToggleButtonProps={visibilityToggle}
      />
      <PasswordInput
        name="repeat"
        label={t('repeat')}
        autoComplete="new-password"
        error={isMismatch ? t('differ') : undefined}
        visibilityToggleButtonProps={visibilityToggle}
      />
      {hasPassword ? (
        <Checkbox name="revoke_tokens" label={t('revokeTokens')} description={t('revokeTokensHelp')} defaultChecked />
      ) : null}
      {problem && !isShownAtField ? <ProblemAlert problem={problem} action={t('passwordWhat')} isInForm /> : null}
      {setPassword.isSuccess ? <p role="status">{t('changed')}</p> : null}
      <div>
        <Button type="submit" loading={setPassword.isPending}>
          {hasPassword ? t('change') : t('set')}
        </Button>
      </div>
    </form>
  )
}
