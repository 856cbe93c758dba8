import type { Endpoint, Permission } from './endpoint.ts'

/** What a person is here, from the one who may do least to the one who may do all. */
export const ROLES = ['viewer', 'operator', 'admin'] as const
export type Role = (typeof ROLES)[number]

/**
 * Who may do what: the one table. The server checks every route by it, and the screens draw by it what somebody may do.
 * `export` takes what the console remembers out as a file.
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

/** What an entry needs: its permission, and the least role that has it. */
export const getRequiredAccess = ({ permission }: Pick<Endpoint, 'permission'>) => ({
  permission,
  role: ROLES.find((role) => hasPermission(role, permission)) ?? 'admin',
})

/** The files that the server writes of what it remembers have no entry: they are links. */
export const EXPORT_PERMISSION = { permission: 'export' } as const
