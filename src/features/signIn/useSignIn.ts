import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { SIGN_IN_ERROR_CODES } from '#contract/console/access.ts'
import { contract } from '#contract/index.ts'
import { useRead, useWrite } from '../../client/query.ts'
import { getSignInRedirect } from './signInRedirect.ts'

export type SignInState = ReturnType<typeof useSignIn>

/** What signs in: a link's token, at once when it stands behind `#`; a name and password; a provider; a proxy. */
export function useSignIn() {
  const navigate = useNavigate()
  const { hash } = useLocation()
  const [search] = useSearchParams()
  const client = useQueryClient()
  const signIn = useWrite(contract.console.signIn)
  const signInMethods = useRead(contract.console.readSignInMethods, {})
  useReplacePreloads()
  const [missingFields, setMissingFields] = useState(false)
  const [prefersLink, setPrefersLink] = useState(false)
  const usesPassword = Boolean(signInMethods.data?.password) && !prefersLink
  const turn = () => {
    setMissingFields(false)
    signIn.reset()
    setPrefersLink(usesPassword)
  }
  const usedToken = useRef<string | null>(null)
  const next = getSignInRedirect(search.get('next'))

  const signInError = SIGN_IN_ERROR_CODES.find((one) => one === search.get('refused'))

  const send = (body: { token: string } | { name: string; password: string } | { proxy: true }) =>
    signIn.mutate(
      { body },
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
    if (!hash.startsWith('#lp_') || usedToken.current === hash) return
    usedToken.current = hash
    void navigate({ search: search.toString() }, { replace: true })
    send({ token: hash.slice(1) })
  })

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const formData = String(new FormData(event.currentTarget).get('token') ?? '').trim()
    const token = formData.slice(formData.indexOf('#') + 1)
    setMissingFields(token === '')
    if (token !== '') send({ token })
  }
  const submitPassword = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const formData = new FormData(event.currentTarget)
    const name = String(formData.get('name') ?? '').trim()
    const password = String(formData.get('password') ?? '')
    setMissingFields(name === '' || password === '')
    if (name !== '' && password !== '') send({ name, password })
  }
  return {
    methods: signInMethods.data,
    signIn,
    signInError,
    next,
    send,
    submit,
    submitPassword,
    missingFields,
    usesPassword,
    switchForm: turn,
  }
}

/**
 * What `index.html` preloads was answered to somebody who was not signed in, and a browser gives each such answer to the
 * first read of that address, however much later: they are taken here, so that the reads after signing in ask anew.
 */
function useReplacePreloads(): void {
  useRead(contract.console.session, {})
  useRead(contract.console.listWorkspaces, {})
}
