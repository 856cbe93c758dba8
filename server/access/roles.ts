import type { Permission } from '#contract/endpoint.ts'
import type { Person } from '#contract/console.ts'

/** Who may do what. The one table: routes are checked by it, and the screen shows by it. */
const ALLOWED: Record<Person['role'], readonly Permission[]> = {
  viewer: ['open', 'read'],
  operator: ['open', 'read', 'run', 'edit'],
  admin: ['open', 'read', 'run', 'edit', 'manage'],
}

export const mayDo = (role: Person['role'], permission: Permission): boolean => ALLOWED[role].includes(permission)
