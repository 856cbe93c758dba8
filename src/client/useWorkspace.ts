import { useEffect } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import type { KeyKind } from '#contract/endpoint.ts'
import type { Problem } from '#contract/problem.ts'
import { workspaceEndpoints, type Key, type Workspace } from '#contract/console/workspaces.ts'
import { useRead } from './query.ts'

export interface CurrentWorkspace {
  workspaces: Workspace[]
  /** The workspace in the URL, else the last one of this tab (else of this browser), else the first. */
  workspace: Workspace | undefined
  getKeys: (kind: KeyKind) => Key[]
  /** The key in the URL (`?app=`) if it is of that kind, else the first of the kind. */
  findKey: (kind: KeyKind) => Key | undefined
  select: (workspace_id: string) => void
  isLoading: boolean
  problem: Problem | null
  retry: () => void
}

/** The workspace of the page, by `?workspace=`; the app by `?app=`. Pages without one keep the chosen workspace. */
export function useWorkspace(): CurrentWorkspace {
  const [search] = useSearchParams()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const read = useRead(workspaceEndpoints.listWorkspaces, {})
  const workspaces = read.data?.data ?? NO_WORKSPACES
  const urlWorkspace = workspaces.find(({ id }) => id === search.get('workspace'))
  const workspace = urlWorkspace ?? readLastWorkspace(workspaces) ?? workspaces[0]
  const urlWorkspaceId = urlWorkspace?.id
  useEffect(() => {
    if (urlWorkspaceId) saveLastWorkspace(urlWorkspaceId)
  }, [urlWorkspaceId])
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

const NO_WORKSPACES: Workspace[] = []
const LAST_WORKSPACE = 'loupe.workspace'

function readLastWorkspace(workspaces: readonly Workspace[]): Workspace | undefined {
  try {
    const ids = [sessionStorage.getItem(LAST_WORKSPACE), localStorage.getItem(LAST_WORKSPACE)]
    return ids.flatMap((last) => workspaces.find(({ id }) => id === last) ?? [])[0]
  } catch {
    // Storage is disabled.
    return undefined
  }
}

function saveLastWorkspace(id: string): void {
  try {
    sessionStorage.setItem(LAST_WORKSPACE, id)
    localStorage.setItem(LAST_WORKSPACE, id)
  } catch {
    // Storage is full or disabled: the first workspace is proposed again.
  }
}
