import { existsSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { ROOT_FOLDER } from '../runCommand.ts'
import { type SourceFile, TEST_FILE, toPlace, walk } from './sourceFiles.ts'

/** Who may import whom (docs/architecture.md). Type imports count, and cycles of types are cycles. */

/** An import of one file. */
interface Import {
  from: string
  /** `file:line`. */
  getPlace: () => string
  /** A path from the root of the project, `npm:name` or `node:name`. */
  to: string
  kind: 'static' | 'dynamic' | 'type'
  isByAlias: boolean
  isMissing: boolean
}

interface ImportRule {
  name: string
  reason: string
  from?: RegExp
  notFrom?: RegExp
  to?: RegExp
  notTo?: RegExp
  when?: (found: Import) => boolean
}

const rule = (name: string, reason: string, rest: Omit<ImportRule, 'name' | 'reason'>): ImportRule => ({
  name,
  reason,
  ...rest,
})

const noTests = (path: RegExp, more?: RegExp): Pick<ImportRule, 'from' | 'notFrom'> => ({
  from: path,
  notFrom: more ? new RegExp(`${TEST_FILE.source}|${more.source}`) : TEST_FILE,
})

/** From the bottom to the top: each folder may import those before it. */
const FEATURE_ORDER =
  'runs playground knowledge annotations batches suites boards ledger drift admin home signIn'.split(' ')
const SERVER_ORDER =
  'jobs db browserApp http auth vault ledger relay webhooks runs servers drift annotations batches suites stats savedItems'.split(
    ' ',
  )

const toOrderRules = (name: string, root: string, folders: readonly string[]): ImportRule[] =>
  folders.slice(0, -1).map((folder, index) => ({
    name,
    reason: `the order is ${folders.join(' < ')}`,
    ...noTests(new RegExp(`^${root}/${folder}/`)),
    to: new RegExp(`^${root}/(${folders.slice(index + 1).join('|')})/`),
  }))

/** Packages of package.json that `npm install --omit=dev` leaves out, and all of them. */
interface Packages {
  dev: ReadonlySet<string>
  all: ReadonlySet<string>
  /** `#contract/` to `src/contract/`. */
  aliases: readonly (readonly [string, string])[]
}

const toRules = ({ dev, all }: Packages): ImportRule[] => [
  rule('contract-imports-zod-only', 'the contract runs in the browser, the server and the tests alike', {
    ...noTests(/^src\/contract\//),
    notTo: /^src\/contract\/|^npm:zod$/,
  }),
  rule('contract-by-its-alias', 'the alias #contract hides where the contract lives', {
    notFrom: /^src\/contract\/|^e2e\//,
    to: /^src\/contract\//,
    when: ({ isByAlias }) => !isByAlias,
  }),
  rule(
    'browser-imports-endpoints-by-noun',
    'a screen loads the contract of what it shows; the index is for the server',
    {
      from: /^src\//,
      notFrom: /^src\/contract\//,
      to: /^src\/contract\/(index|console\/consoleEndpoints|platform\/optionalEndpoints)\.ts$/,
    },
  ),
  rule('domain-is-pure', 'domain logic runs in the browser and the server; it does no I/O', {
    ...noTests(/^src\/domain\//),
    to: /^src\//,
    notTo: /^src\/(contract|domain)\//,
  }),
  rule('domain-by-its-alias', 'the alias #domain hides where the domain lives', {
    notFrom: /^src\/domain\/|^e2e\//,
    to: /^src\/domain\//,
    when: ({ isByAlias }) => !isByAlias,
  }),
  rule('client-draws-nothing', 'the client carries data; it renders nothing', {
    ...noTests(/^src\/client\//),
    to: /^src\//,
    notTo: /^src\/(client|contract|domain)\//,
  }),
  rule(
    'components-know-no-endpoint',
    'a building block knows no endpoint and no page; problems and cut texts belong to no endpoint',
    {
      ...noTests(/^src\/components\//),
      to: /^src\//,
      notTo: /^src\/(components|domain)\/|^src\/contract\/(problem|truncatedText)\.ts$/,
    },
  ),
  rule('features-know-no-app', 'only app/ knows which features there are', {
    from: /^src\//,
    notFrom: /^src\/app\//,
    to: /^src\/app\//,
  }),
  ...toOrderRules('features-order', 'src/features', FEATURE_ORDER),
  ...toOrderRules('server-order', 'server', SERVER_ORDER),
  rule('browser-has-no-node', 'this runs in a browser', { ...noTests(/^src\//), to: /^node:/ }),
  rule('browser-knows-no-server', 'the two speak over HTTP', {
    ...noTests(/^src\//),
    to: /^(server|e2e|checks|bench)\//,
  }),
  rule('server-knows-no-screen', 'of src the server has the contract and the domain', {
    from: /^server\//,
    to: /^src\//,
    notTo: /^src\/(contract|domain)\//,
  }),
  rule('cli-is-a-client', 'the command knows the console over HTTP, by the contract and the domain', {
    ...noTests(/^cli\//),
    to: /^(src|server|e2e|checks|bench)\//,
    notTo: /^src\/(contract|domain)\//,
  }),
  rule('cli-is-the-top', 'nothing needs the command to run', { from: /^(src|server|bench)\//, to: /^cli\// }),
  rule('server-ships-alone', 'checks do not ship', { ...noTests(/^server\//), to: /^(e2e|checks|bench)\// }),
  rule('platform-stands-by-itself', 'the built-in platform is a service in its own right', {
    ...noTests(/^server\/platform\//),
    to: /^server\//,
    notTo: /^server\/(platform|jobs|db)\//,
  }),
  rule(
    'platform-is-known-by-its-url',
    'to the console the built-in platform is a platform as any other; only serve.ts starts it',
    { ...noTests(/^server\//, /^server\/platform\/|^server\/serve\.ts$/), to: /^server\/platform\// },
  ),
  rule('specs-see-what-people-see', 'a spec knows the console through the browser and HTTP; e2e/support is below it', {
    from: /^e2e\//,
    to: /^(src|server|checks|bench)\//,
  }),
  rule(
    'sql-by-one-rule',
    'Drizzle declares the tables, and its query builder serves the apps of the built-in platform; all other queries are SQL',
    {
      ...noTests(
        /^server\//,
        /schema\.ts$|^server\/platform\/apps\/|^server\/db\/(columns|database|schemaMigrations|drizzle\.config)\.ts$/,
      ),
      to: /^npm:drizzle-/,
    },
  ),
  rule(
    'tokenizer-loads-when-needed',
    'its vocabulary is large: the main thread imports what counts tokens where it counts (workerPool.ts)',
    {
      ...noTests(/^server\//, /^server\/platform\/indexing\/(chunkDocument|indexingWorker)\.ts$/),
      to: /^server\/platform\/indexing\/(chunkDocument|tokenCount)\.ts$/,
      when: ({ kind }) => kind === 'static',
    },
  ),
  rule('nothing-ships-a-test', 'tests stay out of what runs', { ...noTests(/^(src|server|cli)\//), to: TEST_FILE }),
  rule('nothing-ships-a-dev-dependency', 'npm install --omit=dev must leave a server that starts', {
    ...noTests(/^(src|server|cli)\//, /drizzle\.config\.ts$/),
    to: /^npm:/,
    when: ({ to, kind }) => kind !== 'type' && dev.has(to.slice('npm:'.length)),
  }),
  rule('no-drawer', 'a folder or file is named after what it holds', {
    to: /(^|\/)(utils?|lib|helpers?|types|misc|common)(\/|\.tsx?$)/,
    notTo: /^(npm|node):/,
  }),
  rule('no-lost-import', 'this import leads nowhere', { when: ({ isMissing }) => isMissing }),
  rule('no-borrowed-package', 'a package that is used is named in package.json', {
    to: /^npm:/,
    when: ({ to }) => !all.has(to.slice('npm:'.length)),
  }),
]

export const listRuleNames = (): string[] => [
  ...new Set(toRules({ dev: new Set(), all: new Set(), aliases: [] }).map(({ name }) => name)),
  'no-cycle',
]

/** All imports that a rule forbids, as `rule: file:line -> target (reason)`; paths are those below `root`. */
export function findForbiddenImports(
  sources: readonly SourceFile[],
  root = ROOT_FOLDER,
): { imports: number; forbidden: string[] } {
  const packages = readPackages(root)
  const imports = sources.flatMap((source) => listImports(source, root, packages))
  const rules = toRules(packages)
  const forbidden = imports.flatMap((found) =>
    rules
      .filter((rule) => isForbidden(found, rule))
      .map(({ name, reason }) => `${name}: ${found.getPlace()} -> ${found.to} (${reason})`),
  )
  return { imports: imports.length, forbidden: [...forbidden, ...listCycles(imports)] }
}

const isForbidden = (found: Import, { from, notFrom, to, notTo, when }: ImportRule): boolean =>
  (from?.test(found.from) ?? true) &&
  !notFrom?.test(found.from) &&
  (to?.test(found.to) ?? true) &&
  !notTo?.test(found.to) &&
  (when?.(found) ?? true)

function readPackages(root: string): Packages {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    imports: Record<string, string>
    dependencies: Record<string, string>
    devDependencies: Record<string, string>
    optionalDependencies?: Record<string, string>
  }
  const { imports, dependencies, devDependencies, optionalDependencies } = manifest
  return {
    dev: new Set(Object.keys(devDependencies)),
    all: new Set(Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })),
    aliases: Object.entries(imports).map(([alias, target]) => [
      alias.replace('*', ''),
      target.replace('./', '').replace('*', ''),
    ]),
  }
}

/** Static, dynamic and type imports, and exports from another file. */
function listImports(source: SourceFile, root: string, packages: Packages): Import[] {
  const found: Import[] = []
  const add = (specifier: string, kind: Import['kind'], node: { start: number }) =>
    found.push({
      from: source.path,
      kind,
      getPlace: () => toPlace(source, node),
      ...resolveImport(source.path, specifier, root, packages),
    })
  walk(source.program, (node) => {
    if (node.type === 'ImportDeclaration') {
      const areTypes =
        node.specifiers.length > 0 && node.specifiers.every((one) => 'importKind' in one && one.importKind === 'type')
      add(node.source.value, node.importKind === 'type' || areTypes ? 'type' : 'static', node)
    }
    if (node.type === 'ExportAllDeclaration' || (node.type === 'ExportNamedDeclaration' && node.source))
      add(node.source?.value ?? '', node.exportKind === 'type' ? 'type' : 'static', node)
    if (node.type === 'ImportExpression' && node.source.type === 'Literal')
      add(String(node.source.value), 'dynamic', node)
    if (node.type === 'TSImportType') add(node.source.value, 'type', node)
  })
  return found
}

function resolveImport(
  from: string,
  specifier: string,
  root: string,
  { aliases }: Packages,
): Pick<Import, 'to' | 'isByAlias' | 'isMissing'> {
  const alias = aliases.find(([prefix]) => specifier.startsWith(prefix))
  if (alias || specifier.startsWith('.')) {
    const path = specifier.replace(/\?.*$/, '')
    const to = alias ? alias[1] + path.slice(alias[0].length) : join(from, '..', path)
    return { to, isByAlias: alias !== undefined, isMissing: !existsSync(join(root, to)) }
  }
  const to = isBuiltin(specifier)
    ? `node:${specifier.replace('node:', '')}`
    : `npm:${specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')}`
  return { to, isByAlias: false, isMissing: false }
}

/** Groups of files that need each other, types included (Tarjan's strongly connected components). */
function listCycles(imports: readonly Import[]): string[] {
  const targets = Map.groupBy(imports, ({ from }) => from)
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[] = []
  const visit = (file: string): number => {
    const index = order.size
    order.set(file, index)
    lowest.set(file, index)
    stack.push(file)
    for (const { to } of targets.get(file) ?? []) {
      const reached = order.has(to) ? (stack.includes(to) ? (order.get(to) ?? index) : index) : visit(to)
      lowest.set(file, Math.min(lowest.get(file) ?? index, reached))
    }
    const low = lowest.get(file) ?? index
    if (low === index) {
      const group = stack.splice(stack.indexOf(file))
      if (group.length > 1) cycles.push(`no-cycle: ${group.toSorted().join(' <-> ')}`)
    }
    return low
  }
  for (const file of targets.keys()) if (!order.has(file)) visit(file)
  return cycles
}
