import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Endpoint, Permission } from '#contract/endpoint.ts'
import { ROLE_PERMISSIONS, EXPORT_PERMISSION, hasPermission, ROLES } from '#contract/permissions.ts'

/**
 * On every way from a screen to a call that not everybody may make, some file asks whether the person may. That it asks
 * for the right control is what `e2e/specs/signIn/permissionWalk.full.spec.ts` walks the screens for.
 */

const SOURCE_FILES = new Map(
  ['app', 'features', 'components', 'client']
    .flatMap((folder) => readdirSync(`src/${folder}`, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /(?<!\.test|\.testing)\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path): [string, string] => [path, readFileSync(path, 'utf8')]),
)
const IMPORTERS_BY_FILE = Map.groupBy(
  [...SOURCE_FILES].flatMap(([path, text]) =>
    [...text.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)].map((match) => ({
      path,
      imported: join(dirname(path), match[1] ?? ''),
    })),
  ),
  ({ imported }) => imported,
)
const ENTRY_PATTERN = /(\w+Endpoints)\.(\w+)/
const GUARD_PATTERN =
  /(?:\b[cC]an\w*\(|usePermission\(\)\(|<Can\s+entry=\{|getRequiredAccess\(|offers\.includes\()(?:\s*(?:\w+ === null \? )?)(?:(\w+Endpoints)\.(\w+)|'(\w+)'|(RUN_ENTRIES|EXPORT|stopEntry\)|entry\)|STOP_ENTRIES))/g

type EndpointGroup = Record<string, Endpoint | undefined>

/** Every group of endpoints by the name under which its module exports it. */
const endpointGroups = new Map<string, EndpointGroup>(
  (
    await Promise.all(
      ['platform', 'console'].flatMap((folder) =>
        readdirSync(`src/contract/${folder}`, { recursive: true, encoding: 'utf8' })
          .filter((file) => /^[\w/]+\.ts$/.test(file))
          .map((file) => join(process.cwd(), 'src/contract', folder, file))
          .map((path) => import(/* @vite-ignore */ path) as Promise<Record<string, EndpointGroup>>),
      ),
    )
  ).flatMap((module) => Object.entries(module).filter(([name]) => name.endsWith('Endpoints'))),
)

function getPermission(group = '', name = ''): Permission {
  const entry = endpointGroups.get(group)?.[name]
  if (!entry) throw new Error(`There is no entry ${group}.${name}.`)
  return entry.permission
}

/** What a file asks the person's role for. */
const listGuards = (text: string): Permission[] =>
  [...text.matchAll(GUARD_PATTERN)].map(([, group, name, offered, other]) =>
    offered
      ? // A text may be another word than the name of an entry.
        (endpointGroups.get('optionalEndpoints')?.[offered]?.permission ?? 'read')
      : other === 'EXPORT'
        ? EXPORT_PERMISSION.permission
        : other
          ? 'run'
          : getPermission(group, name),
  )

/** What a file calls that is not everybody's. `runStore.start` and the ways to stop take an entry from a table. */
const listCalls = (text: string): Permission[] => [
  ...[...text.matchAll(/(?:useWrite|\bcall)\(\s*(\w+Endpoints\.\w+)/g)].map(([, entry = '']) => {
    const [, group, name] = ENTRY_PATTERN.exec(entry) ?? []
    return getPermission(group, name)
  }),
  ...(/runStore\.start\(|optionalAppEndpoints\[(?:stopEntry|entry)\]/.test(text) ? (['run'] as const) : []),
  ...(/\/export\?/.test(text) ? [EXPORT_PERMISSION.permission] : []),
]

const isOpenToAll = (permission: Permission) => ROLES.every((role) => hasPermission(role, permission))
/** Whoever passes a guard of the one may do the other. */
const isCoveredBy = (guard: Permission, permission: Permission) =>
  !isOpenToAll(guard) &&
  ROLES.every((role) => !ROLE_PERMISSIONS[role].includes(guard) || ROLE_PERMISSIONS[role].includes(permission))

/** The first way up to a screen on which nobody asks, or null. */
function findUnguardedPath(path: string, permission: Permission, below: readonly string[] = []): string[] | null {
  if (below.includes(path) || listGuards(SOURCE_FILES.get(path) ?? '').some((guard) => isCoveredBy(guard, permission)))
    return null
  const way = [path, ...below]
  const importers = IMPORTERS_BY_FILE.get(path) ?? []
  if (importers.length === 0) return way
  for (const importer of importers) {
    const open = findUnguardedPath(importer.path, permission, way)
    if (open) return open
  }
  return null
}

/** Calls from screens that not everybody may make. */
export const listRestrictedCalls = (): { path: string; permission: Permission }[] =>
  [...SOURCE_FILES].flatMap(([path, text]) =>
    [...new Set(listCalls(text))].filter((one) => !isOpenToAll(one)).map((permission) => ({ path, permission })),
  )

/** Ways from a call up to a screen on which no file asks for the permission, such as `call.tsx > screen.tsx`. */
export const listUnguardedPaths = (): string[] =>
  listRestrictedCalls().flatMap(({ path, permission }) => findUnguardedPath(path, permission)?.join(' > ') ?? [])
