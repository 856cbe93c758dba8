import { Button, Checkbox, PasswordInput, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Person } from '#contract/access.ts'
import { contract } from '#contract/index.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useWords } from '../../ui/words.ts'
import { useWrite } from '../../wire/query.ts'
import classes from './Account.module.css'
import { accountWords } from './messages.ts'

/** Sets the password; the first one with the name. What is wrong is said at its field. */
export function PasswordForm({ person, hasPassword }: { person: Person; hasPassword: boolean }) {
  const t = useWords(accountWords)
  const write = useWrite(contract.console.setPassword)
  const [name, setName] = useState(person.name)
  const [differs, setDiffers] = useState(false)
  const problem = write.error?.problem
  const wrong = (field: string) => problem?.fields?.find(({ path }) => path === `body.${field}`)?.message
  const isSaid = Boolean(wrong('old') ?? wrong('password') ?? wrong('name'))
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const typed = (field: string) => (form.elements.namedItem(field) as HTMLInputElement | null)?.value ?? ''
    const password = typed('password')
    setDiffers(password !== typed('repeat'))
    if (password !== typed('repeat')) return
    write.mutate(
      {
        body: hasPassword
          ? { password, old: typed('old'), revoke_tokens: new FormData(form).has('revoke_tokens') }
          : { password, name },
      },
      { onSuccess: () => form.reset() },
    )
  }
  const eye = { 'aria-label': t('show') }
  return (
    <form className={classes.narrow} onSubmit={submit} noValidate>
      {hasPassword ? (
        <PasswordInput
          name="old"
          label={t('old')}
          autoComplete="current-password"
          error={wrong('old')}
          visibilityToggleButtonProps={eye}
        />
      ) : (
        <TextInput
          name="name"
          label={t('name')}
          autoComplete="username"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={wrong('name')}
        />
      )}
      <PasswordInput
        name="password"
        label={t('fresh')}
        description={t('freshHelp')}
        autoComplete="new-password"
        error={wrong('password')}
        visibilityToggleButtonProps={eye}
      />
      <PasswordInput
        name="repeat"
        label={t('repeat')}
        autoComplete="new-password"
        error={differs ? t('differ') : undefined}
        visibilityToggleButtonProps={eye}
      />
      {hasPassword ? (
        <Checkbox name="revoke_tokens" label={t('revokeTokens')} description={t('revokeTokensHelp')} defaultChecked />
      ) : null}
      {problem && !isSaid ? <ProblemNote problem={problem} what={t('passwordWhat')} isAtForm /> : null}
      {write.isSuccess ? <p role="status">{t('changed')}</p> : null}
      <div>
        <Button type="submit" loading={write.isPending}>
          {hasPassword ? t('change') : t('set')}
        </Button>
      </div>
    </form>
  )
}
