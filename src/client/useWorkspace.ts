import { useMemo } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import type { Key, Workspace } from '#contract/console/consoleEndpoints.ts'
import type { Endpoint, KeyKind } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import type { Problem } from '#contract/problem.ts'
import { useRead } from './query.ts'
import { type CanCall, usePermission } from './usePermission.ts'

export interface CurrentWorkspace {
  workspaces: Workspace[]
  /** The one in the URL, else the first. */
  workspace: Workspace | undefined
  getKeys: (kind: KeyKind) => Key[]
  /** The key in the URL (`?app=`) if it is of that kind, else the first of the kind. */
  findKey: (kind: KeyKind) => Key | undefined
  select: (workspace_id: string) => void
  isLoading: boolean
  problem: Problem | null
  retry: () => void
}

/** The workspace of the page, by `?workspace=`; the app by `?app=`. */
export function useWorkspace(): CurrentWorkspace {
  const [search] = useSearchParams()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const read = useRead(contract.console.listWorkspaces, {})
  const can = usePermission()
  const workspaces = useMemo(
    () => (read.data?.data ?? []).map((one) => withAllowedCapabilities(one, can)),
    [read.data, can],
  )
  const workspace = workspaces.find(({ id }) => id === search.get('workspace')) ?? workspaces[0]
  const keysOf = (kind: KeyKind) => workspace?.keys.filter((key) => key.kind === kind) ?? []
  return {
    workspaces,
    workspace,
    getKeys: keysOf,
    findKey: (kind) => keysOf(kind).find(({ id }) => id === search.get('app')) ?? keysOf(kind)[0],
    // Open items belong to the previous workspace, so only the screen is preserved.
    select: (workspace_id) => void navigate(`/${pathname.split('/')[1]}?workspace=${encodeURIComponent(workspace_id)}`),
    isLoading: read.isPending,
    problem: read.error?.problem ?? null,
    retry: () => void read.refetch(),
  }
}

/** A workspace whose keys offer what the platform supports and the person may call. */
const withAllowedCapabilities = (workspace: Workspace, can: CanCall): Workspace => ({
  ...workspace,
  keys: workspace.keys.map((key) => ({ ...key, offers: key.offers.filter((name) => isAllowed(name, can)) })),
})

const OPTIONAL_ENDPOINTS: Record<string, Endpoint | undefined> = contract.adjacent

/** Everyone may read, also before the session is known. */
function isAllowed(name: string, can: CanCall): boolean {
  const entry = OPTIONAL_ENDPOINTS[name]
  return !entry || entry.permission === 'read' || can(entry)
}
