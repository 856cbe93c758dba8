import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import type { Endpoint, Permission } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { ALLOWED, EXPORT, mayDo, ROLES } from '#contract/roles.ts'

/**
 * On every way from a screen to a call that not everybody may make, some file asks whether the person may. That it asks
 * for the right control is what `e2e/a-person-comes-in-and-goes.spec.ts` walks the screens for.
 */

const FILES = new Map(
  ['app', 'features', 'run', 'lab', 'ui', 'wire']
    .flatMap((room) => readdirSync(`src/${room}`, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /(?<!\.test|\.testing)\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path): [string, string] => [path, readFileSync(path, 'utf8')]),
)
const IMPORTERS = Map.groupBy(
  [...FILES].flatMap(([path, text]) =>
    [...text.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)].map((match) => ({
      path,
      imported: join(dirname(path), match[1] ?? ''),
    })),
  ),
  ({ imported }) => imported,
)
const ENTRY = /contract\.(\w+)\.(\w+)/
const GUARD =
  /(?:[mM]ay\w*\(|useMay\(\)\(|<May entry=\{|offers\.includes\()(?:\s*(?:\w+ === null \? )?)(?:contract\.(\w+)\.(\w+)|'(\w+)'|(ENTRIES|EXPORT|by\)|entry\)|STOPS))/g

const groups = contract as unknown as Record<string, Record<string, Endpoint> | undefined>
const permissionOf = (group = '', name = ''): Permission => groups[group]?.[name]?.permission ?? 'read'

/** What a file asks the person's role for. */
const guards = (text: string): Permission[] =>
  [...text.matchAll(GUARD)].map(([, group, name, offered, other]) =>
    offered
      ? permissionOf('adjacent', offered)
      : other === 'EXPORT'
        ? EXPORT.permission
        : other
          ? 'run'
          : permissionOf(group, name),
  )

/** What a file calls that is not everybody's. `runs.begin` and the ways to stop take an entry from a table. */
const calls = (text: string): Permission[] => [
  ...[...text.matchAll(/(?:useWrite|\bcall)\(\s*(contract\.\w+\.\w+)/g)].map(([, entry = '']) => {
    const [, group, name] = ENTRY.exec(entry) ?? []
    return permissionOf(group, name)
  }),
  ...(/runs\.begin\(|contract\.adjacent\[by\]/.test(text) ? (['run'] as const) : []),
  ...(/\/export\?/.test(text) ? [EXPORT.permission] : []),
]

const isEverybodys = (permission: Permission) => ROLES.every((role) => mayDo(role, permission))
/** Whoever passes a guard of the one may do the other. */
const covers = (guard: Permission, permission: Permission) =>
  !isEverybodys(guard) && ROLES.every((role) => !ALLOWED[role].includes(guard) || ALLOWED[role].includes(permission))

/** The first way up to a screen on which nobody asks, or null. */
function openWay(path: string, permission: Permission, below: readonly string[] = []): string[] | null {
  if (below.includes(path) || guards(FILES.get(path) ?? '').some((guard) => covers(guard, permission))) return null
  const way = [path, ...below]
  const importers = IMPORTERS.get(path) ?? []
  if (importers.length === 0) return way
  for (const importer of importers) {
    const open = openWay(importer.path, permission, way)
    if (open) return open
  }
  return null
}

it('no screen leads to a call that somebody may not make without asking whether they may', () => {
  const called = [...FILES].flatMap(([path, text]) =>
    [...new Set(calls(text))].filter((one) => !isEverybodys(one)).map((permission) => ({ path, permission })),
  )
  expect(called.length).toBeGreaterThan(50)
  expect(called.flatMap(({ path, permission }) => openWay(path, permission)?.join(' > ') ?? [])).toEqual([])
})
