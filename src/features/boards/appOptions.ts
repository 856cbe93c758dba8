import type { Key, Workspace } from '#contract/console/workspaces.ts'

interface AppOption {
  value: string
  label: string
}

/** The apps of all workspaces, by workspace, as options of a select; `gone` is a selected one that no longer exists. */
export function toAppOptions(
  workspaces: readonly Workspace[],
  missingKey: { id: string; label: string } | null = null,
): { group: string; items: AppOption[] }[] {
  const groups = workspaces.map(({ name, keys }) => ({
    group: name,
    items: keys.filter(isAppKey).map(({ id, label, kind }) => ({ value: id, label: `${label} (${kind})` })),
  }))
  const missingOption = missingKey ? [{ group: '–', items: [{ value: missingKey.id, label: missingKey.label }] }] : []
  return [...groups.filter(({ items }) => items.length > 0), ...missingOption]
}

export const isAppKey = ({ kind }: Key): boolean => kind !== 'knowledge'

/** The app with this key, in whichever workspace it is. */
export function findApp(
  workspaces: readonly Workspace[],
  key: string | null,
): { key: Key; workspace: Workspace } | null {
  for (const workspace of workspaces) {
    const found = workspace.keys.find(({ id }) => id === key)
    if (found) return { key: found, workspace }
  }
  return null
}
