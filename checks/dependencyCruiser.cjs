/**
 * Who may import whom. Types count as imports: what a room knows of another is what has to be learned with it.
 * Tests may reach what they test and the scripted platform; nothing that ships may reach a test.
 */
const TEST = '\\.(test|testing|fixture|spec)\\.tsx?$'
const none = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })
const ships = (path, more = {}) => ({ path, pathNot: [TEST, ...(more.pathNot ?? [])] })

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    none(
      'contract-imports-zod-only',
      'The contract runs in the browser, the server and the tests alike.',
      ships('^src/contract/'),
      { pathNot: ['^src/contract/', '^node_modules/zod/'] },
    ),
    none(
      'contract-by-its-alias',
      'The alias #contract is the wall: what is behind it may move.',
      { path: '^(src|server|checks|bench)/', pathNot: '^src/contract/' },
      { path: '^src/contract/', dependencyTypesNot: ['aliased', 'aliased-subpath-import'] },
    ),
    none('wire-knows-the-contract-alone', 'The wire carries; it draws nothing.', ships('^src/wire/'), {
      path: '^src/',
      pathNot: ['^src/(wire|contract)/'],
    }),
    none('ui-has-looks-and-manners', 'No endpoint and no page is known to a button.', ships('^src/ui/'), {
      path: '^src/',
      pathNot: ['^src/(ui|contract)/'],
    }),
    none(
      'a-run-is-no-feature',
      'What every feature shows of a run stands above ui and wire and knows no feature.',
      ships('^src/run/'),
      {
        path: '^src/',
        pathNot: ['^src/(run|ui|wire|contract)/', '^src/paths\\.ts$'],
      },
    ),
    none('the-lab-is-no-feature', 'The chunk lab stands beside any form that makes chunks.', ships('^src/lab/'), {
      path: '^src/',
      pathNot: ['^src/(lab|ui|contract)/'],
    }),
    none('features-never-meet', 'Features meet in app/ or through paths.ts.', ships('^src/features/([^/]+)/'), {
      path: '^src/features/',
      pathNot: '^src/features/$1/',
    }),
    none(
      'app-is-the-top',
      'Only begin.ts and main.tsx start the app.',
      { path: '^src/', pathNot: ['^src/app/', '^src/(begin\\.ts|main\\.tsx)$'] },
      { path: '^src/(app/|begin\\.ts$|main\\.tsx$)' },
    ),
    none(
      'paths-are-plain',
      'The URLs of the console are functions over text.',
      { path: '^src/paths\\.ts$' },
      { path: '^src/', pathNot: '^src/contract/' },
    ),
    none('browser-has-no-node', 'This runs in a browser.', ships('^src/'), { dependencyTypes: ['core'] }),
    none('browser-knows-no-server', 'The two speak over HTTP.', ships('^src/'), {
      path: '^(server|e2e|checks|bench)/',
    }),
    none(
      'server-knows-no-screen',
      'Of src the server has the contract.',
      { path: '^server/' },
      { path: '^src/', pathNot: '^src/contract/' },
    ),
    none('server-ships-alone', 'Checks stay at home.', ships('^server/'), { path: '^(e2e|checks|bench)/' }),
    none(
      'platform-stands-by-itself',
      'The built-in platform is a service in its own right.',
      ships('^server/platform/'),
      { path: '^server/', pathNot: ['^server/platform/', '^server/database/'] },
    ),
    none(
      'platform-is-known-by-its-url',
      'To the console the built-in platform is a platform as any other; only main.ts starts it.',
      ships('^server/', { pathNot: ['^server/platform/', '^server/main\\.ts$'] }),
      { path: '^server/platform/' },
    ),
    none(
      'specs-see-what-people-see',
      'A spec knows the console through the browser and HTTP.',
      { path: '^e2e/' },
      { path: '^(src|server|checks|bench)/' },
    ),
    none('nothing-ships-a-test', 'Tests stay out of what runs.', ships('^(src|server)/'), { path: TEST }),
    none(
      'nothing-ships-a-dev-dependency',
      'npm install --omit=dev must leave a server that starts.',
      ships('^(src|server)/', { pathNot: ['drizzle\\.config\\.ts$'] }),
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    ),
    none(
      'no-cycle',
      'Two files that need each other to run are one idea, or hide a third.',
      {},
      { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    ),
    none(
      'no-drawer',
      'A function without a room is a noun not yet found.',
      {},
      { path: '(^|/)(utils?|lib|helpers?|hooks|types|misc|common)(/|\\.tsx?$)', pathNot: 'node_modules' },
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
