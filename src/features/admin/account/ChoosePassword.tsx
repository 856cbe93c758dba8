import { Button } from '@mantine/core'
import type { Person } from '#contract/console/access.ts'
import { Logo } from '../../../components/layout/Logo.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './Account.module.css'
import { accountMessages } from './messages.ts'
import { PasswordForm } from './PasswordForm.tsx'
import { useSignOut } from '../../../client/useSignOut.ts'

/** Shown after a sign-in link until the person has set a password; nothing else is accessible before. */
export function ChoosePassword({ person }: { person: Person }) {
  const t = useMessages(accountMessages)
  const signOut = useSignOut()
  return (
    <main className={classes.alone}>
      <div>
        <Logo size={30} />
        <h1>{t('choose')}</h1>
        <p>{t('chooseText')}</p>
        <PasswordForm person={person} hasPassword={false} />
        <div>
          <Button variant="subtle" color="gray" onClick={signOut}>
            {t('leave')}
          </Button>
        </div>
      </div>
    </main>
  )
}
