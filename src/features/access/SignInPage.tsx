import { Button, PasswordInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { contract } from '#contract/index.ts'
import { Logo } from '../../ui/Logo.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { useWords } from '../../ui/words.ts'
import { useWrite } from '../../wire/query.ts'
import { About } from './About.tsx'
import { destination } from './destination.ts'
import { accessWords } from './messages.ts'
import classes from './SignInPage.module.css'

/** Signs in by the token that the server printed: at once when it stands behind `#`, else by a field. */
export function SignInPage() {
  const t = useWords(accessWords)
  const navigate = useNavigate()
  const { hash } = useLocation()
  const [search] = useSearchParams()
  const client = useQueryClient()
  const signIn = useWrite(contract.console.signIn)
  const [missing, setMissing] = useState(false)
  const used = useRef<string | null>(null)
  const next = destination(search.get('next'))

  const send = (token: string) =>
    signIn.mutate(
      { body: { token } },
      {
        onSuccess: () => {
          // What an ended session has read, its end included, is not this one's.
          client.removeQueries()
          void navigate(next, { replace: true })
        },
      },
    )

  // A link works once: it is used as soon as it is open, and taken out of the history whatever comes of it.
  useEffect(() => {
    if (!hash.startsWith('#lp_') || used.current === hash) return
    used.current = hash
    void navigate({ search: search.toString() }, { replace: true })
    send(hash.slice(1))
  })

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = String(new FormData(event.currentTarget).get('token') ?? '').trim()
    const token = typed.slice(typed.indexOf('#') + 1)
    setMissing(token === '')
    if (token !== '') send(token)
  }

  return (
    <main className={classes.page}>
      <div className={classes.form}>
        <div className={classes.brand}>
          <Logo size={30} />
          <b>Loupe</b>
        </div>
        <h1>{t('title')}</h1>
        <p>{t('intro')}</p>
        <ServerLog />
        <form onSubmit={submit} noValidate>
          <PasswordInput
            name="token"
            label={t('token')}
            description={t('tokenHelp')}
            placeholder="lp_"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            error={missing ? t('tokenMissing') : undefined}
            visibilityToggleButtonProps={{ 'aria-label': t('showToken') }}
          />
          {signIn.error ? <ProblemNote problem={signIn.error.problem} /> : null}
          {signIn.isPending ? (
            <p role="status">
              <StateBadge word="running" plain /> {t('signingIn')}
            </p>
          ) : null}
          <Button type="submit" fullWidth disabled={signIn.isPending}>
            {t('signIn')}
          </Button>
        </form>
      </div>
      <About />
    </main>
  )
}

function ServerLog() {
  const t = useWords(accessWords)
  const { origin } = window.location
  return (
    <div className={classes.log}>
      <div>{t('log')}</div>
      <dl tabIndex={0} aria-label={t('log')}>
        <dt>{t('logConsole')}</dt>
        <dd>{origin}</dd>
        <dt>{t('logSignIn')}</dt>
        <dd>
          {origin}/sign-in#<mark>lp_…</mark>
        </dd>
      </dl>
    </div>
  )
}
