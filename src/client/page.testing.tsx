import { MantineProvider } from '@mantine/core'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { BrowserRouter, MemoryRouter } from 'react-router'
import { OverlayProvider } from '../components/overlays/OverlayProvider.tsx'
import { newQueryClient } from './query.ts'

/** jsdom has no workers. This one never answers. */
class SilentWorker extends EventTarget {
  postMessage() {}
  terminate() {}
}
if (!('Worker' in globalThis)) Object.assign(globalThis, { Worker: SilentWorker })

interface PageOptions {
  client?: QueryClient
  /** The address that the page begins at. */
  path?: string
  /** `window` where a test sets or reads the address there, `none` where the page brings a router of its own. */
  router?: 'memory' | 'window' | 'none'
}

/** What every page is drawn in: the theme, the reads and an address. */
export function makePageWrapper({ client = newQueryClient(), path = '/', router = 'memory' }: PageOptions = {}) {
  return ({ children: page }: { children: ReactNode }) => {
    const children = <OverlayProvider>{page}</OverlayProvider>
    return (
      <MantineProvider env="test">
        <QueryClientProvider client={client}>
          {router === 'none' && children}
          {router === 'window' && <BrowserRouter>{children}</BrowserRouter>}
          {router === 'memory' && <MemoryRouter initialEntries={[path]}>{children}</MemoryRouter>}
        </QueryClientProvider>
      </MantineProvider>
    )
  }
}

export const renderPage = (page: ReactNode, options: PageOptions = {}) =>
  render(page, { wrapper: makePageWrapper(options) })
