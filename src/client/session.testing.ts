import type { Role } from '#contract/permissions.ts'

/** The session reply for a signed-in person. */
export const makeSession = (role: Role) => ({
  person: { id: '00000000-0000-4000-8000-000000000001', name: 'Ada', role, default_user: 'ada' },
  expires_at: '2026-12-21T10:00:00.000Z',
  version: '0.1.0',
  needs_account: false,
  has_account: true,
})
