import type { Key, Workspace } from '#contract/console/consoleEndpoints.ts'

/** The health of a workspace, from the last responses to its keys. */
export interface WorkspaceHealth {
  state: 'healthy' | 'refused' | 'never tested'
  /** The last successful response of the platform, to any key. */
  answered_at: string | null
  /** Keys that were refused after their last success. */
  rejectedKeys: readonly Key[]
}

export function getWorkspaceHealth({ keys }: Pick<Workspace, 'keys'>): WorkspaceHealth {
  const rejectedKeys = keys.filter(({ last_problem }) => last_problem !== null)
  const answered = keys.flatMap(({ last_ok_at }) => last_ok_at ?? []).sort()
  const answered_at = answered.at(-1) ?? null
  return {
    state: rejectedKeys.length > 0 ? 'refused' : answered_at ? 'healthy' : 'never tested',
    answered_at,
    rejectedKeys,
  }
}
