import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { SIGN_IN_ERROR_CODES, accessEndpoints } from '#contract/console/access.ts'
import { workspaceEndpoints } from '#contract/console/workspaces.ts'
import { useRead, useWrite } from '../../client/query.ts'
import { paths } from '#domain/paths.ts'

export type SignInState = ReturnType<typeof useSignIn>

/**
 * The sign-in methods: a link's token (immediately if it is in the `#` fragment), name and password, a provider, a
 * proxy.
 */
export function useSignIn() {
  const navigate = useNavigate()
  const { hash } = useLocation()
  const [search] = useSearchParams()
  const client = useQueryClient()
  const signIn = useWrite(accessEndpoints.signIn)
  const signInMethods = useRead(accessEndpoints.readSignInMethods, {})
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
          // Discard the cache of the ended session, including its 401.
          client.removeQueries()
          void navigate(next, { replace: true })
        },
      },
    )

  // A link works once: use it as soon as it opens, and remove it from the history in any case.
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
 * The preloads of `index.html` were answered without a session, and the browser returns each preloaded response to
 * the first fetch of its URL, however late: consume them here, so that reads after signing in hit the server.
 */
function useReplacePreloads(): void {
  useRead(accessEndpoints.session, {})
  useRead(workspaceEndpoints.listWorkspaces, {})
}

/** The destination after signing in: the requested page if it is same-origin, else Home. */
export function getSignInRedirect(next: string | null): string {
  // Browsers read `/\host` and `//host` as another host.
  return next && /^\/(?![/\\])[^\u0000-\u001f]*$/.test(next) && !next.startsWith('/sign-in') ? next : paths.home()
}
