import type { KeyKind } from '#contract/endpoint.ts'
import type { Workspace } from '#contract/console/workspaces.ts'

/**
 * Whether a narrowed person has no key of these kinds in a workspace. Other keys are not sent to them, so a screen
 * must not say that there are none.
 */
export const isBeyondGrants = (
  workspace: Pick<Workspace, 'access' | 'keys'> | undefined,
  kinds: readonly KeyKind[],
): boolean => workspace?.access === 'keys' && !workspace.keys.some(({ kind }) => kinds.includes(kind))

/** A person's grants in a workspace as text: "Handbook assistant (chat)". */
export const formatGrants = ({ keys }: Pick<Workspace, 'keys'>): string =>
  keys.map(({ label, kind }) => `${label} (${kind})`).join(', ')
