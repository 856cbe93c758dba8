import { useSessionStorage } from '@mantine/hooks'
import { optionalAppInfoEndpoints } from '#contract/platform/optionalAppInfo.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { useRead } from '../../../client/query.ts'

/** The version on which the next runs of an app run. */
export interface PinnedVersion {
  /** Whether runs of the app can be pinned. */
  canPin: boolean
  /** Null for the current version. */
  workflow_id: string | null
  setWorkflowId: (workflow_id: string | null) => void
}

/**
 * Whether runs of an app can be pinned to a version: workflows where the platform has the operation, and chatflows, whose
 * body names the version.
 */
export function useCanPinVersion({ id, kind, offers, mode }: Key): boolean {
  const isChat = kind === 'chat' && offers.includes('info')
  const info = useRead(optionalAppInfoEndpoints.info, { key: id }, { enabled: isChat && mode === null })
  return kind === 'workflow' ? offers.includes('runVersion') : isChat && (mode ?? info.data?.mode) === 'advanced-chat'
}

/** The version that a person has chosen for an app, stored until the browser tab closes. */
export function usePinnedVersion(app: Key): PinnedVersion {
  const canPin = useCanPinVersion(app)
  const [workflow_id, setWorkflowId] = useSessionStorage<string | null>({
    key: `loupe-version:${app.id}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  })
  return { canPin, workflow_id: canPin ? workflow_id : null, setWorkflowId }
}
