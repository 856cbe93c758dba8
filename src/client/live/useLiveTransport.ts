import { useSyncExternalStore } from 'react'
import { liveConnection } from './liveConnection.ts'
import type { LiveTransport } from './liveTransports.ts'

/** What this page's live connection uses, or null without a connection. */
export const useLiveTransport = (): LiveTransport['kind'] | null =>
  useSyncExternalStore(liveConnection.onTransportChange, () => liveConnection.transportKind)
