import { createRoot } from 'react-dom/client'
import { setNonce } from 'get-nonce'
import './app/styles.ts'
import { Providers } from './app/Providers.tsx'
import { preloadScreen, Router } from './app/Router.tsx'
import { nonce } from './app/nonce.ts'

// Dialogs lock scrolling with a style tag of their own, which needs the page's nonce too.
setNonce(nonce)

// Drawn once with its page rather than first without: all that it needs has been on its way since `begin.ts`. Nothing may
// be awaited here itself, for the page's chunk waits for this one.
void preloadScreen(window.location.pathname).then(() => {
  const root = document.getElementById('root')
  if (root)
    createRoot(root).render(
      <Providers>
        <Router />
      </Providers>,
    )
})
