import { type Role, ROLES } from '#contract/permissions.ts'

/** The role of each value of a provider's claim. */
export interface RoleClaimMap {
  claim: string
  roles: ReadonlyMap<string, Role>
}

/**
 * Parses `claim:value=role,value=role`. The claim may be a URL (`https://…`), or a path into an object
 * (`realm_access.roles`).
 * @returns null when the text is invalid
 */
export function parseClaimMap(text: string): RoleClaimMap | null {
  const [, claim, rest] = /^(.+?):(?!\/\/)(.+)$/s.exec(text.trim()) ?? []
  if (claim === undefined || rest === undefined) return null
  const roles = new Map<string, Role>()
  for (const part of rest.split(',')) {
    const at = part.lastIndexOf('=')
    const value = part.slice(0, Math.max(0, at)).trim()
    const role = ROLES.find((one) => one === part.slice(at + 1).trim())
    if (value === '' || role === undefined || roles.has(value)) return null
    roles.set(value, role)
  }
  return { claim, roles }
}

/** The highest role among the claims; null without one. */
export function findRole({ claim, roles }: RoleClaimMap, claims: Record<string, unknown>): Role | null {
  const claimValue = claims[claim] ?? claim.split('.').reduce<unknown>(readPath, claims)
  const values = Array.isArray(claimValue) ? claimValue : [claimValue]
  const granted = values.flatMap((value) => (typeof value === 'string' ? (roles.get(value) ?? []) : []))
  return ROLES.findLast((role) => granted.includes(role)) ?? null
}

const readPath = (value: unknown, name: string): unknown =>
  value && typeof value === 'object' && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
