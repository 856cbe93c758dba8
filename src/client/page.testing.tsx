import { MantineProvider } from '@mantine/core'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { BrowserRouter, MemoryRouter } from 'react-router'
import { newQueryClient } from './query.ts'

interface PageOptions {
  client?: QueryClient
  /** The address that the page begins at. */
  path?: string
  /** Whether the address is that of the window: a test sets or reads it there. */
  hasWindowAddress?: boolean
}

/** What every page is drawn in: the theme, the reads and an address. */
export function makePageWrapper({ client = newQueryClient(), path = '/', hasWindowAddress = false }: PageOptions = {}) {
  return ({ children }: { children: ReactNode }) => (
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        {hasWindowAddress ? (
          <BrowserRouter>{children}</BrowserRouter>
        ) : (
          <MemoryRouter initialEntries={[path]}>{children}</MemoryRouter>
        )}
      </QueryClientProvider>
    </MantineProvider>
  )
}

export const renderPage = (page: ReactNode, options: PageOptions = {}) =>
  render(page, { wrapper: makePageWrapper(options) })
