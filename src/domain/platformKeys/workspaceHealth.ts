import type { KeyHealthState, Key, Workspace } from '#contract/console/workspaces.ts'

/** A key that did not work when it was last used. */
export type FailingKey = Key & { health: Exclude<KeyHealthState, 'healthy' | 'untested'> }

/** The health of a workspace, from the last response to each of its keys. */
export interface WorkspaceHealth {
  /** The worst state of its keys; `untested` if none has been used. */
  state: KeyHealthState
  /** Since when a key is in that state, for a state that is not healthy. */
  since: string | null
  /** The last successful response of the platform, to any key. */
  answered_at: string | null
  failingKeys: readonly FailingKey[]
}

/** The worst first: an unreachable platform fails for every key. */
const SEVERITY: readonly KeyHealthState[] = ['unreachable', 'refused', 'wrong_kind', 'app_unavailable']

export function getWorkspaceHealth({ keys }: Pick<Workspace, 'keys'>): WorkspaceHealth {
  const failingKeys = keys.filter(isFailing)
  const answered_at =
    keys
      .flatMap(({ last_ok_at }) => last_ok_at ?? [])
      .sort()
      .at(-1) ?? null
  const worst = SEVERITY.find((state) => failingKeys.some(({ health }) => health === state))
  const since =
    failingKeys
      .filter(({ health }) => health === worst)
      .flatMap(({ health_since }) => health_since ?? [])
      .sort()[0] ?? null
  const isAnswered = keys.some(({ health }) => health === 'healthy')
  return { state: worst ?? (isAnswered ? 'healthy' : 'untested'), since, answered_at, failingKeys }
}

const isFailing = (key: Key): key is FailingKey => key.health !== 'healthy' && key.health !== 'untested'
