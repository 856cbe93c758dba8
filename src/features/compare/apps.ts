import type { Key, Workspace } from '#contract/console.ts'

interface Choice {
  value: string
  label: string
}

/** The apps of all workspaces, by workspace, as a select has them; `gone` is one that is chosen and not there any more. */
export function appChoices(
  workspaces: readonly Workspace[],
  gone: { id: string; label: string } | null = null,
): { group: string; items: Choice[] }[] {
  const groups = workspaces.map(({ name, keys }) => ({
    group: name,
    items: keys.filter(isApp).map(({ id, label, kind }) => ({ value: id, label: `${label} (${kind})` })),
  }))
  const lost = gone ? [{ group: '–', items: [{ value: gone.id, label: gone.label }] }] : []
  return [...groups.filter(({ items }) => items.length > 0), ...lost]
}

export const isApp = ({ kind }: Key): boolean => kind !== 'knowledge'

/** The app with this key, in whichever workspace it is. */
export function appOf(workspaces: readonly Workspace[], key: string | null): { key: Key; workspace: Workspace } | null {
  for (const workspace of workspaces) {
    const found = workspace.keys.find(({ id }) => id === key)
    if (found) return { key: found, workspace }
  }
  return null
}
