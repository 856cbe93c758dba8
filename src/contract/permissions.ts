import type { Endpoint, Permission } from './endpoint.ts'

/** Roles, in ascending order of rights. */
export const ROLES = ['viewer', 'operator', 'admin'] as const
export type Role = (typeof ROLES)[number]

/**
 * The single permission table. The server checks every route against it, and the screens show actions by it. `export`
 * downloads what the console has stored as a file.
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

/** Exports of the server have no entry: they are links. */
export const EXPORT_PERMISSION = { permission: 'export' } as const
