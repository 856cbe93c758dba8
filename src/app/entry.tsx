import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { setNonce } from 'get-nonce'
import { accessEndpoints } from '#contract/console/access.ts'
import { workspaceEndpoints } from '#contract/console/workspaces.ts'
import './theme/styles.ts'
import { AppProviders, styleNonce } from './shell/AppProviders.tsx'
import { preloadScreen, AppRouter } from './router.tsx'
import { ignoreCompositionKeys } from '../components/forms/ignoreCompositionKeys.ts'
import { preventDoubleSubmit } from '../components/forms/preventDoubleSubmit.ts'
import { submitByShortcut } from '../components/forms/submitByShortcut.ts'
import { newQueryClient, prefetchRead } from '../client/query.ts'

// Dialogs lock scrolling with a style tag of their own, which needs the page's nonce too.
setNonce(styleNonce)
ignoreCompositionKeys(window)
preventDoubleSubmit(document)
submitByShortcut(document)

/** Milliseconds that the first render waits for the session and the workspaces, to avoid intermediate renders. */
const FIRST_READ_TIMEOUT_MS = 300

const queryClient = newQueryClient()
const initialPathname = window.location.pathname

// No top-level await here: the page's chunk waits for this module.
void Promise.all([preloadScreen(initialPathname), prefetchSession()]).then(() => {
  const root = document.getElementById('root')
  if (root)
    // A transition renders in slices, so a slow machine still responds to clicks and typing.
    startTransition(() =>
      createRoot(root).render(
        <AppProviders client={queryClient}>
          <AppRouter />
        </AppProviders>,
      ),
    )
})

/** What every screen except sign-in reads first; `index.html` preloads the replies. */
function prefetchSession(): Promise<unknown> {
  if (initialPathname === '/sign-in') return Promise.resolve()
  const { session } = accessEndpoints
  const { listWorkspaces } = workspaceEndpoints
  const read = Promise.all([prefetchRead(queryClient, session, {}), prefetchRead(queryClient, listWorkspaces, {})])
  return Promise.race([read, new Promise((resolve) => setTimeout(resolve, FIRST_READ_TIMEOUT_MS))])
}
