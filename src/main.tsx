import { createRoot } from 'react-dom/client'
import { setNonce } from 'get-nonce'
import './app/styles.ts'
import { Providers } from './app/Providers.tsx'
import { Router } from './app/Router.tsx'
import { nonce } from './app/nonce.ts'

// Dialogs lock scrolling with a style tag of their own, which needs the page's nonce too.
setNonce(nonce)

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <Providers>
      <Router />
    </Providers>,
  )
