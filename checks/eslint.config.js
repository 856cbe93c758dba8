import reactHooks from 'eslint-plugin-react-hooks'
import { dirname } from 'node:path'
import tseslint from 'typescript-eslint'

const TESTS = [
  '**/*.test.{ts,tsx}',
  '**/*.testing.{ts,tsx}',
  '**/*.fixture.ts',
  '**/*.spec.ts',
  'checks/**',
  'bench/**',
]
const PLAIN_ELEMENTS = '^(a|article|div|img|li|p|section|span|svg|td|th|tr|ul)$'

/** Forbidden everywhere. */
const nowhere = [
  {
    selector:
      ":matches(JSXAttribute[name.name='dangerouslySetInnerHTML'], Property[key.name='dangerouslySetInnerHTML'])",
    message: 'Text of a platform never becomes markup by itself; src/components/markdown draws it.',
  },
  {
    selector: `JSXOpeningElement[name.name=/${PLAIN_ELEMENTS}/] > JSXAttribute[name.name='onClick']`,
    message: 'What can be clicked is a button or a link, so that the keyboard and a screen reader reach it.',
  },
  {
    selector: 'CallExpression[callee.object.name=/^(describe|it|test)$/][callee.property.name=/^(only|skip|todo)$/]',
    message: 'Every test runs.',
  },
]

/** Allowed in tests, forbidden in the app. */
const markup = {
  selector: 'MemberExpression[property.name=/^(innerHTML|outerHTML|insertAdjacentHTML|srcdoc)$/]',
  message: 'Text of a platform never becomes markup by itself.',
}

/** Network APIs of the browser. */
const browserNetwork = ['fetch', 'XMLHttpRequest', 'EventSource', 'WebSocket']
/** Network APIs of Node. */
const nodeNetwork = ['undici', 'http', 'https', 'http2', 'net', 'tls', 'dgram'].flatMap((name) => [
  name,
  `node:${name}`,
])

export default tseslint.config(
  { ignores: ['dist', 'dist-*', 'data', 'test-results', 'node_modules', '**/*.sql'] },
  { linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' } },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: dirname(import.meta.dirname) } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': [
        'error',
        { checksVoidReturn: { attributes: false, arguments: false } },
      ],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/no-for-in-array': 'error',
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    },
  },
  {
    files: ['**/*.{js,mjs,cjs,ts,tsx}'],
    rules: {
      'no-restricted-syntax': ['error', ...nowhere],
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-new-func': 'error',
      'no-script-url': 'error',
      'no-empty-pattern': 'off',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      '@typescript-eslint/no-empty-object-type': 'off',
      // The compiler counts what is unused; an argument or a field left out on purpose begins with an underscore there.
      '@typescript-eslint/no-unused-vars': 'off',
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
    },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    rules: reactHooks.configs.flat['recommended-latest'].rules,
  },
  {
    files: ['src/**/*.{ts,tsx}', 'server/**/*.ts'],
    ignores: TESTS,
    rules: { 'no-restricted-syntax': ['error', ...nowhere, markup] },
  },
  {
    files: ['src/**/*.{ts,tsx}', 'server/**/*.ts'],
    ignores: ['src/client/**', 'server/platform/model/**', ...TESTS],
    rules: {
      'no-restricted-globals': [
        'error',
        ...browserNetwork.map((name) => ({
          name,
          message: 'The browser connects through src/client, the server through server/relay/upstream/upstream.ts.',
        })),
      ],
      'no-restricted-properties': [
        'error',
        ...['window', 'globalThis', 'self'].flatMap((object) =>
          browserNetwork.map((property) => ({ object, property, message: 'Only src/client uses the network.' })),
        ),
        { object: 'navigator', property: 'sendBeacon', message: 'Only src/client uses the network.' },
      ],
    },
  },
  {
    files: ['server/**/*.ts'],
    // The bridge accepts connections and opens none.
    ignores: ['server/relay/**', 'server/platform/model/**', 'server/db/embedded/pgliteServer.ts', ...TESTS],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: nodeNetwork.map((name) => ({
            name,
            allowTypeImports: true,
            message: 'Requests leave through server/relay, or through server/platform/model to the model.',
          })),
        },
      ],
    },
  },
  {
    files: ['**/*.cjs'],
    rules: { '@typescript-eslint/no-require-imports': 'off' },
    languageOptions: { sourceType: 'commonjs' },
  },
)
