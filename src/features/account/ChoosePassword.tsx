import { Button } from '@mantine/core'
import type { Person } from '#contract/access.ts'
import { paths } from '../../paths.ts'
import { Logo } from '../../ui/Logo.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './Account.module.css'
import { accountWords } from './messages.ts'
import { PasswordForm } from './PasswordForm.tsx'
import { useSignOut } from '../../wire/useSignOut.ts'

/** What somebody sees who came by a link and has no way back yet: nothing else until they have one. */
export function ChoosePassword({ person }: { person: Person }) {
  const t = useWords(accountWords)
  const leave = useSignOut(() => location.assign(paths.signIn()))
  return (
    <main className={classes.alone}>
      <div>
        <Logo size={30} />
        <h1>{t('choose')}</h1>
        <p>{t('chooseText')}</p>
        <PasswordForm person={person} hasPassword={false} />
        <div>
          <Button variant="subtle" color="gray" onClick={leave}>
            {t('leave')}
          </Button>
        </div>
      </div>
    </main>
  )
}
