import type { Endpoint, Permission } from './endpoint.ts'

/** Roles, in ascending order of rights. */
export const ROLES = ['viewer', 'operator', 'admin'] as const
export type Role = (typeof ROLES)[number]

/**
 * The single permission table: the server checks every route against it, and screens show actions by it. `export` is
 * saving a list, a run or several documents as a file; opening one file that a page shows is reading.
 */
export const ROLE_PERMISSIONS: Record<Role, readonly Permission[]> = {
  viewer: ['open', 'read'],
  operator: ['open', 'read', 'run', 'edit', 'export'],
  admin: ['open', 'read', 'run', 'edit', 'export', 'manage'],
}

export const hasPermission = (role: Role, permission: Permission): boolean =>
  ROLE_PERMISSIONS[role].includes(permission)

export const canCall = (role: Role, entry: Pick<Endpoint, 'permission'>): boolean =>
  hasPermission(role, entry.permission)

/** Permission of an entry, and the lowest role that has it. */
export const getRequiredAccess = ({ permission }: Pick<Endpoint, 'permission'>) => ({
  permission,
  role: ROLES.find((role) => hasPermission(role, permission)) ?? 'admin',
})

/** Exports that are links, or that a page assembles from its reads, have no entry. */
export const EXPORT_PERMISSION = { permission: 'export' } as const
