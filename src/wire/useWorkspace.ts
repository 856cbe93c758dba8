import { useMemo } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import type { Key, Workspace } from '#contract/console.ts'
import type { Endpoint, KeyKind } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import type { Problem } from '#contract/problem.ts'
import { useRead } from './query.ts'
import { type Asks, useMay } from './useMay.ts'

export interface CurrentWorkspace {
  workspaces: Workspace[]
  /** The one in the URL, else the first. */
  workspace: Workspace | undefined
  keysOf: (kind: KeyKind) => Key[]
  /** The key in the URL (`?app=`) if it is of that kind, else the first of the kind. */
  keyOf: (kind: KeyKind) => Key | undefined
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
  const may = useMay()
  const workspaces = useMemo(() => (read.data?.data ?? []).map((one) => offering(one, may)), [read.data, may])
  const workspace = workspaces.find(({ id }) => id === search.get('workspace')) ?? workspaces[0]
  const keysOf = (kind: KeyKind) => workspace?.keys.filter((key) => key.kind === kind) ?? []
  return {
    workspaces,
    workspace,
    keysOf,
    keyOf: (kind) => keysOf(kind).find(({ id }) => id === search.get('app')) ?? keysOf(kind)[0],
    // What is open belongs to the workspace one leaves, so only the screen stays.
    select: (workspace_id) => void navigate(`/${pathname.split('/')[1]}?workspace=${encodeURIComponent(workspace_id)}`),
    isLoading: read.isPending,
    problem: read.error?.problem ?? null,
    retry: () => void read.refetch(),
  }
}

/** A workspace whose keys offer what the platform answers and the person may ask for. */
const offering = (workspace: Workspace, may: Asks): Workspace => ({
  ...workspace,
  keys: workspace.keys.map((key) => ({ ...key, offers: key.offers.filter((name) => isFor(name, may)) })),
})

const ADJACENT: Record<string, Endpoint | undefined> = contract.adjacent

/** What only reads is everybody's, also before it is known who is signed in. */
function isFor(name: string, may: Asks): boolean {
  const entry = ADJACENT[name]
  return !entry || entry.permission === 'read' || may(entry)
}
