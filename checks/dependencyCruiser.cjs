/**
 * Who may import whom (docs/architecture.md). Type imports count, and cycles of types are cycles. Tests may reach what
 * they test and `e2e/support`; nothing that ships may reach a test.
 */
const TEST = '\\.(test|testing|fixture|spec)\\.tsx?$'
const none = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })
const ships = (path, more = {}) => ({ path, pathNot: [TEST, ...(more.pathNot ?? [])] })

/** From the bottom to the top: each folder may import those before it. Folders of one entry do not know each other. */
const FEATURE_ORDER = [
  'runs',
  'playground',
  'knowledge',
  'annotations',
  'batches',
  'suites',
  'boards',
  'ledger',
  'drift',
  'admin',
  'home',
  'signIn',
]
const SERVER_ORDER = [
  'jobs',
  'db',
  'browserApp',
  'http',
  'auth',
  'vault',
  'ledger',
  'relay',
  'webhooks',
  'runs',
  'servers',
  'drift',
  'annotations',
  'batches',
  'suites',
  'stats',
  'savedItems',
]
const inOrder = (root, folders) =>
  folders
    .slice(0, -1)
    .map((folder, index) =>
      none(
        `${root.replace('src/', '')}-order-${folder}`,
        `The order of folders is ${folders.join(' < ')}.`,
        ships(`^${root}/${folder}/`),
        { path: `^${root}/(${folders.slice(index + 1).join('|')})/` },
      ),
    )

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    none(
      'tokenizer-loads-when-needed',
      'Its vocabulary is large: the main thread imports what counts tokens where it counts (workerPool.ts).',
      ships('^server/', { pathNot: ['^server/platform/indexing/(chunkDocument|indexingWorker)\\.ts$'] }),
      {
        path: '^server/platform/indexing/(chunkDocument|tokenCount)\\.ts$',
        dependencyTypesNot: ['dynamic-import', 'type-only'],
      },
    ),
    none(
      'contract-imports-zod-only',
      'The contract runs in the browser, the server and the tests alike.',
      ships('^src/contract/'),
      { pathNot: ['^src/contract/', '^node_modules/zod/'] },
    ),
    none(
      'contract-by-its-alias',
      'The alias #contract hides where the contract lives.',
      { path: '^(src|server|cli|checks|bench)/', pathNot: '^src/contract/' },
      { path: '^src/contract/', dependencyTypesNot: ['aliased', 'aliased-subpath-import'] },
    ),
    none(
      'browser-imports-endpoints-by-noun',
      'A screen loads the contract of what it shows; the whole of it is for the server.',
      { path: '^src/', pathNot: '^src/contract/' },
      { path: '^src/contract/(index|console/consoleEndpoints|platform/optionalEndpoints)\\.ts$' },
    ),
    none('domain-is-pure', 'Domain logic runs in the browser and the server; it does no I/O.', ships('^src/domain/'), {
      path: '^src/',
      pathNot: ['^src/(contract|domain)/'],
    }),
    none(
      'domain-by-its-alias',
      'The alias #domain hides where the domain lives.',
      { path: '^(src|server|cli|checks|bench)/', pathNot: '^src/domain/' },
      { path: '^src/domain/', dependencyTypesNot: ['aliased', 'aliased-subpath-import'] },
    ),
    none('client-draws-nothing', 'The client carries data; it renders nothing.', ships('^src/client/'), {
      path: '^src/',
      pathNot: ['^src/(client|contract|domain)/'],
    }),
    // Problem, the one error shape, belongs to no endpoint.
    none('components-know-no-endpoint', 'A building block knows no endpoint and no page.', ships('^src/components/'), {
      path: '^src/',
      pathNot: ['^src/(components|domain)/', '^src/contract/problem\\.ts$'],
    }),
    none(
      'features-know-no-app',
      'Only app/ knows which features there are.',
      { path: '^src/', pathNot: ['^src/app/'] },
      { path: '^src/app/' },
    ),
    ...inOrder('src/features', FEATURE_ORDER),
    ...inOrder('server', SERVER_ORDER),
    none('browser-has-no-node', 'This runs in a browser.', ships('^src/'), { dependencyTypes: ['core'] }),
    none('browser-knows-no-server', 'The two speak over HTTP.', ships('^src/'), {
      path: '^(server|e2e|checks|bench)/',
    }),
    none(
      'server-knows-no-screen',
      'Of src the server has the contract and the domain.',
      { path: '^server/' },
      { path: '^src/', pathNot: '^src/(contract|domain)/' },
    ),
    none(
      'cli-is-a-client',
      'The command knows the console over HTTP, by the contract and the domain.',
      ships('^cli/'),
      {
        path: '^(src|server|e2e|checks|bench)/',
        pathNot: ['^src/(contract|domain)/'],
      },
    ),
    none('cli-is-the-top', 'Nothing needs the command to run.', { path: '^(src|server|bench)/' }, { path: '^cli/' }),
    none('server-ships-alone', 'Checks stay at home.', ships('^server/'), { path: '^(e2e|checks|bench)/' }),
    none(
      'platform-stands-by-itself',
      'The built-in platform is a service in its own right.',
      ships('^server/platform/'),
      { path: '^server/', pathNot: ['^server/platform/', '^server/(jobs|db)/'] },
    ),
    none(
      'platform-is-known-by-its-url',
      'To the console the built-in platform is a platform as any other; only serve.ts starts it.',
      ships('^server/', { pathNot: ['^server/platform/', '^server/serve\\.ts$'] }),
      { path: '^server/platform/' },
    ),
    none(
      'specs-see-what-people-see',
      'A spec knows the console through the browser and HTTP; e2e/support is below it.',
      { path: '^e2e/' },
      { path: '^(src|server|checks|bench)/' },
    ),
    none(
      'sql-by-one-rule',
      'Drizzle declares the tables, and its query builder serves the apps of the built-in platform. All other queries are SQL.',
      ships('^server/', {
        pathNot: [
          'schema\\.ts$',
          '^server/platform/apps/',
          '^server/db/(database|schemaMigrations|drizzle\\.config)\\.ts$',
        ],
      }),
      { path: '^node_modules/drizzle-' },
    ),
    none('nothing-ships-a-test', 'Tests stay out of what runs.', ships('^(src|server|cli)/'), { path: TEST }),
    none(
      'nothing-ships-a-dev-dependency',
      'npm install --omit=dev must leave a server that starts.',
      ships('^(src|server|cli)/', { pathNot: ['drizzle\\.config\\.ts$'] }),
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    ),
    none('no-cycle', 'Two files that need each other to run are one idea, or hide a third.', {}, { circular: true }),
    none(
      'no-drawer',
      'A folder or file is named after what it holds.',
      {},
      { path: '(^|/)(utils?|lib|helpers?|types|misc|common)(/|\\.tsx?$)', pathNot: 'node_modules' },
    ),
    none('no-lost-import', 'This import leads nowhere.', {}, { couldNotResolve: true }),
    none(
      'no-borrowed-package',
      'A package that is used is named in package.json.',
      { pathNot: '^node_modules/' },
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.css'],
    },
  },
}
