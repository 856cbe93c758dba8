import { type Role, ROLES } from '#contract/permissions.ts'

export interface RoleClaimMap {
  claim: string
  roles: ReadonlyMap<string, Role>
}

/** An invalid claim map; the message does not repeat its values. */
export class ClaimMapError extends Error {}

/**
 * Parses `claim:value=role,value=role`. The claim may be a URL (`https://…`), or a path into an object
 * (`realm_access.roles`). The claim and values may be in double quotes and then contain any character; a quote in
 * them is doubled.
 * @throws ClaimMapError
 */
export function parseClaimMap(text: string): RoleClaimMap {
  const { claim, rest } = parseClaim(text.trim())
  const roles = new Map<string, Role>()
  for (const [index, entry] of splitEntries(rest).entries()) {
    const position = `entry ${index + 1}`
    const { value, role } = parseEntry(entry, position)
    if (roles.has(value)) throw new ClaimMapError(`${position} repeats the value of another entry`)
    roles.set(value, role)
  }
  return { claim, roles }
}

const QUOTED = '"(?:[^"]|"")*"'

function parseClaim(text: string): { claim: string; rest: string } {
  const [, claim, rest] = new RegExp(`^(${QUOTED}|[^"].*?)\\s*:(?!//)(.*)$`, 's').exec(text) ?? []
  if (claim === undefined || rest === undefined) throw new ClaimMapError('has no colon after the name of a claim')
  return { claim: unquote(claim), rest }
}

/** Splits at the commas outside of quotes. */
function splitEntries(text: string): string[] {
  if ((text.match(/"/g)?.length ?? 0) % 2 === 1) throw new ClaimMapError('has a double quote that is not closed')
  return (text.match(new RegExp(`(?:${QUOTED}|[^",])+|(?<=^|,)(?=,|$)`, 'g')) ?? []).map((entry) => entry.trim())
}

function parseEntry(entry: string, position: string): { value: string; role: Role } {
  const [, value = '', name] = new RegExp(`^(${QUOTED}|[^"]*)\\s*=([^="]*)$`, 's').exec(entry) ?? []
  if (name === undefined) throw new ClaimMapError(`${position} is not a value, an equals sign and a role`)
  const role = ROLES.find((one) => one === name.trim())
  if (role === undefined)
    throw new ClaimMapError(
      `${position} ends with none of the roles ${ROLES.join(', ')}; a value with a comma needs double quotes`,
    )
  if (unquote(value) === '') throw new ClaimMapError(`${position} has no value before the equals sign`)
  return { value: unquote(value), role }
}

const unquote = (text: string): string => (text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text.trim())

export const readClaim = (claim: string, claims: Record<string, unknown>): unknown =>
  claims[claim] ?? claim.split('.').reduce<unknown>(readPath, claims)

export function findRole({ claim, roles }: RoleClaimMap, claims: Record<string, unknown>): Role | null {
  const values = [readClaim(claim, claims)].flat()
  const granted = values.flatMap((value) => (typeof value === 'string' ? (roles.get(value) ?? []) : []))
  return ROLES.findLast((role) => granted.includes(role)) ?? null
}

const readPath = (value: unknown, name: string): unknown =>
  value && typeof value === 'object' && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
