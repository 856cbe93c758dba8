import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { IntlProvider } from 'use-intl'
import { newQueryClient } from '../wire/query.ts'
import { en } from './messages/en.ts'
import { nonce } from './nonce.ts'
import { cssVariables, theme } from './theme.ts'

declare module 'use-intl' {
  interface AppConfig {
    Messages: typeof en
    Locale: 'en'
  }
}

/** What every screen stands on: words, looks, and one store of what was read. */
export function Providers({ children }: { children: ReactNode }) {
  const [client] = useState(newQueryClient)
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
      deduplicateInlineStyles
    >
      <IntlProvider locale="en" messages={en} timeZone={Intl.DateTimeFormat().resolvedOptions().timeZone}>
        <QueryClientProvider client={client}>{children}</QueryClientProvider>
      </IntlProvider>
    </MantineProvider>
  )
}
