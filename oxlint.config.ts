import type { OxlintConfig } from 'oxlint'

const TESTS = ['**/*.test.{ts,tsx}', '**/*.testing.{ts,tsx}', '**/*.fixture.ts']

/** Network APIs of the browser, and of Node. */
const BROWSER_NETWORK = ['fetch', 'XMLHttpRequest', 'EventSource', 'WebSocket']
const NODE_NETWORK = ['http', 'https', 'http2', 'net', 'tls', 'dgram'].flatMap((name) => [name, `node:${name}`])
const ONLY_CLIENT = 'The browser connects through src/client, the server through server/relay/upstream/upstream.ts.'
const ONLY_RELAY = 'Requests leave through server/relay, or through server/platform/model to the model.'

/** What no rule here can say is in `checks/sources`. Comments switch no rule off. */
export default {
  plugins: ['typescript', 'react', 'oxc'],
  categories: { correctness: 'error' },
  options: { typeAware: true },
  ignorePatterns: ['dist', 'dist-*', 'data', 'test-results'],
  rules: {
    eqeqeq: ['error', 'always', { null: 'ignore' }],
    'no-array-constructor': 'error',
    'no-eval': 'error',
    'no-implied-eval': 'error',
    'no-new-func': 'error',
    'no-script-url': 'error',
    'no-unused-expressions': 'error',
    'no-var': 'error',
    'prefer-const': 'error',
    'prefer-rest-params': 'error',
    'prefer-spread': 'error',
    'react/no-danger': 'error',
    'typescript/ban-ts-comment': 'error',
    'typescript/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
    'typescript/no-explicit-any': 'error',
    'typescript/no-import-type-side-effects': 'error',
    'typescript/no-misused-promises': ['error', { checksVoidReturn: { attributes: false, arguments: false } }],
    'typescript/no-namespace': 'error',
    'typescript/no-require-imports': 'error',
    'typescript/no-unnecessary-type-constraint': 'error',
    'typescript/no-unsafe-function-type': 'error',
    'typescript/only-throw-error': 'error',
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    'no-control-regex': 'off',
    'no-empty-pattern': 'off',
    // The compiler counts what is unused; an argument or a field left out on purpose begins with an underscore there.
    'no-unused-vars': 'off',
    'react/jsx-key': 'off',
    'react/no-children-prop': 'off',
    'typescript/no-base-to-string': 'off',
    'typescript/no-meaningless-void-operator': 'off',
    'typescript/no-misused-spread': 'off',
    'typescript/no-useless-default-assignment': 'off',
    'typescript/require-array-sort-compare': 'off',
    'typescript/restrict-template-expressions': 'off',
    'typescript/unbound-method': 'off',
  },
  overrides: [
    {
      files: ['src/**/*.{ts,tsx}'],
      rules: {
        'react/exhaustive-deps': 'error',
        'react/hooks': 'error',
        'react/unsupported-syntax': 'error',
      },
    },
    {
      files: ['src/**/*.{ts,tsx}', 'server/**/*.ts'],
      excludeFiles: ['src/client/**', 'server/platform/model/**', 'src/domain/compatibilityForm.ts', ...TESTS],
      rules: {
        'no-restricted-globals': ['error', ...BROWSER_NETWORK.map((name) => ({ name, message: ONLY_CLIENT }))],
        'no-restricted-properties': [
          'error',
          ...['window', 'globalThis', 'self'].flatMap((object) =>
            BROWSER_NETWORK.map((property) => ({ object, property, message: ONLY_CLIENT })),
          ),
          { object: 'navigator', property: 'sendBeacon', message: ONLY_CLIENT },
          { property: 'normalize', message: 'Long runs of marks take minutes: toCompatibilityForm bounds them.' },
        ],
      },
    },
    {
      files: ['server/**/*.ts'],
      // The bridge accepts connections and opens none.
      excludeFiles: ['server/relay/**', 'server/platform/model/**', 'server/db/embedded/pgliteServer.ts', ...TESTS],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            paths: ['undici', ...NODE_NETWORK].map((name) => ({ name, allowTypeImports: true, message: ONLY_RELAY })),
          },
        ],
      },
    },
  ],
} satisfies OxlintConfig
