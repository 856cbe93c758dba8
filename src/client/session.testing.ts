import { Key, Workspace } from '#contract/console/workspaces.ts'
import type { KeyKind } from '#contract/endpoint.ts'
import type { Role } from '#contract/permissions.ts'

/** The session reply for a signed-in person. */
export const makeSession = (role: Role) => ({
  person: { id: '00000000-0000-4000-8000-000000000001', name: 'Ada', role, default_user: 'ada' },
  expires_at: '2026-12-21T10:00:00.000Z',
  version: '0.1.0',
  needs_account: false,
  has_account: true,
})

/** A key of a workspace reply. */
export const makeKey = (kind: KeyKind, label: string, offers: string[] = []): Key =>
  Key.parse({
    id: crypto.randomUUID(),
    kind,
    label,
    hint: null,
    created_at: '2026-11-21T12:00:00Z',
    updated_at: '2026-11-21T12:00:00Z',
    last_ok_at: null,
    last_problem: null,
    last_problem_at: null,
    offers,
  })

/** A workspace of a foreign platform. */
export const makeWorkspace = (given: Partial<Workspace> = {}): Workspace =>
  Workspace.parse({
    id: '33333333-3333-4333-8333-333333333333',
    name: 'Kiln',
    base_url: 'https://kiln.example/v1',
    builtin: false,
    created_at: '2026-11-21T12:00:00.000Z',
    keys: [],
    ...given,
  })
