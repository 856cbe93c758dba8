import { Box, Button, Checkbox, PasswordInput, TextInput } from '@mantine/core'
import type { Person } from '#contract/console/access.ts'
import { peopleEndpoints } from '#contract/console/people.ts'
import { ProblemError } from '#contract/problem.ts'
import { InlineForm } from '../../../components/forms/InlineForm.tsx'
import { useContractForm } from '../../../components/forms/useContractForm.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { notify } from '../../../components/overlays/notify.ts'
import { useWrite } from '../../../client/query.ts'
import { accountMessages } from './messages.ts'

/** Sets the password, and for a new account the name. Errors are shown at their field. */
export function PasswordForm({ person, hasPassword }: { person: Person; hasPassword: boolean }) {
  const t = useMessages(accountMessages)
  const setPassword = useWrite(peopleEndpoints.setPassword)
  const form = useContractForm({
    schema: peopleEndpoints.setPassword.body,
    initialValues: { name: person.name, old: '', password: '', repeat: '', revoke_tokens: true },
    toBody: ({ name, old, password, revoke_tokens }) =>
      hasPassword ? { password, old, revoke_tokens } : { password, name },
    send: (body) => {
      if (form.form.getValues('repeat') !== body.password)
        throw new ProblemError({
          kind: 'invalid',
          message: t('differ'),
          fields: [{ path: 'repeat', message: t('differ') }],
        })
      return setPassword.mutateAsync({ body })
    },
    onDone: () => {
      form.discard()
      notify(t('changed'))
    },
  })
  const visibilityToggle = { visibilityToggleButtonProps: { 'aria-label': t('show') } }
  return (
    <Box maw={420}>
      <InlineForm form={form} action={t('passwordWhat')}>
        {hasPassword ? (
          <PasswordInput
            {...form.field('old')}
            label={t('currentPassword')}
            autoComplete="current-password"
            {...visibilityToggle}
          />
        ) : (
          <TextInput {...form.field('name')} label={t('name')} autoComplete="username" />
        )}
        <PasswordInput
          {...form.field('password')}
          label={t('newPassword')}
          description={t('newPasswordHelp')}
          autoComplete="new-password"
          {...visibilityToggle}
        />
        <PasswordInput
          {...form.field('repeat')}
          label={t('repeat')}
          autoComplete="new-password"
          {...visibilityToggle}
        />
        {hasPassword ? (
          <Checkbox {...form.checkbox('revoke_tokens')} label={t('revokeTokens')} description={t('revokeTokensHelp')} />
        ) : null}
        <Button type="submit" loading={form.isPending} w="fit-content">
          {t(hasPassword ? 'change' : 'set')}
        </Button>
      </InlineForm>
    </Box>
  )
}
