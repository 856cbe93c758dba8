import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { setNonce } from 'get-nonce'
import { contract } from '#contract/index.ts'
import './app/styles.ts'
import { Providers } from './app/Providers.tsx'
import { preloadScreen, Router } from './app/Router.tsx'
import { nonce } from './app/nonce.ts'
import { takeOnce } from './ui/onePress.ts'
import { forgetEarly } from './wire/early.ts'
import { newQueryClient, prime } from './wire/query.ts'

// Dialogs lock scrolling with a style tag of their own, which needs the page's nonce too.
setNonce(nonce)
takeOnce(document)

/** Milliseconds that the first picture waits for what `begin.ts` has asked: drawn once, and not three times. */
const PATIENCE = 300

const client = newQueryClient()
const pathname = window.location.pathname

// Nothing may be awaited here itself, for the page's chunk waits for this one.
void preloadScreen(pathname)
  .then(readFirst)
  .then(() => {
    forgetEarly()
    const root = document.getElementById('root')
    if (root)
      // A transition is drawn piece by piece, and leaves a slow machine free for what is typed or clicked meanwhile.
      startTransition(() =>
        createRoot(root).render(
          <Providers client={client}>
            <Router />
          </Providers>,
        ),
      )
  })

function readFirst(): Promise<unknown> {
  if (pathname === '/sign-in') return Promise.resolve()
  const { session, listWorkspaces } = contract.console
  const read = Promise.all([prime(client, session, {}), prime(client, listWorkspaces, {})])
  return Promise.race([read, new Promise((resolve) => setTimeout(resolve, PATIENCE))])
}
