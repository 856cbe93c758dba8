import { type Role, ROLES } from '#contract/roles.ts'

/** Which role each value of a provider's claim stands for. */
export interface ClaimMap {
  claim: string
  roles: ReadonlyMap<string, Role>
}

/**
 * Reads `claim:value=role,value=role`. The claim may be a URL (`https://…`), or lead into an object (`realm_access.roles`).
 * @returns null when it is none
 */
export function readClaimMap(text: string): ClaimMap | null {
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

/** The highest role that the claims give; null when they give none. */
export function roleBy({ claim, roles }: ClaimMap, claims: Record<string, unknown>): Role | null {
  const held = claims[claim] ?? claim.split('.').reduce<unknown>(within, claims)
  const values = Array.isArray(held) ? held : [held]
  const given = values.flatMap((value) => (typeof value === 'string' ? (roles.get(value) ?? []) : []))
  return ROLES.findLast((role) => given.includes(role)) ?? null
}

const within = (value: unknown, name: string): unknown =>
  value && typeof value === 'object' && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
