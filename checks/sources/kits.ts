import { KIT_EXCEPTIONS, type KitRule } from './kitExceptions.ts'
import { type Node, type SourceFile, TEST_FILE, toPlace, walk } from './sourceFiles.ts'

/** What a screen uses the kits of `src/components` for, instead of building it again. */
export const KIT_RULES: Record<KitRule, string> = {
  form: 'a form is a FormDrawer, a FormDialog or an InlineForm, with useContractForm',
  read: 'the states of a read are drawn by ReadBoundary, ResourceList or ResourceListPage',
  list: 'a table with numbered pages is a ResourceList or a ResourceListPage',
  confirm: 'a confirmation is asked by useDeleteDialog',
  lazy: 'what loads late is a lazyWithPreload',
  overlay: 'a dialog is a FormDialog, Dialog, FormDrawer, SideDrawer or LazyDrawer',
}

const SCREEN_FILE = /^src\/(app|features)\/.*\.tsx?$/

/** Screens that build themselves what a kit has, as `file:line: rule`. */
export function findKitFaults(file: SourceFile): string[] {
  return listKitFaults(file).flatMap(({ rule, node }) =>
    Object.hasOwn(KIT_EXCEPTIONS[rule], file.path) ? [] : [`${toPlace(file, node)}: ${KIT_RULES[rule]}`],
  )
}

/** Exceptions that no file needs any more, as `rule file`. */
export function findUnusedKitExceptions(files: readonly SourceFile[]): string[] {
  const used = new Set(files.flatMap((file) => listKitFaults(file).map(({ rule }) => `${rule} ${file.path}`)))
  return Object.entries(KIT_EXCEPTIONS)
    .flatMap(([rule, paths]) => Object.keys(paths).map((path) => `${rule} ${path}`))
    .filter((exception) => !used.has(exception))
}

function listKitFaults(file: SourceFile): { rule: KitRule; node: Node }[] {
  if (!SCREEN_FILE.test(file.path) || TEST_FILE.test(file.path)) return []
  const found: { rule: KitRule; node: Node }[] = []
  walk(file.program, (node) => {
    const rule = getBrokenRule(file, node)
    if (rule) found.push({ rule, node })
  })
  return found
}

function getBrokenRule(file: SourceFile, node: Node): KitRule | null {
  if (node.type === 'ImportDeclaration') {
    const names = node.specifiers.flatMap((one) =>
      one.type === 'ImportSpecifier' && one.imported.type === 'Identifier' ? [one.imported.name] : [],
    )
    const from = node.source.value
    if (from === '@mantine/core' && names.some((name) => /^(Modal|Drawer|Dialog)$/.test(name))) return 'overlay'
    if (/^@mantine\/(modals|notifications)$/.test(from)) return 'overlay'
    if (from === 'react' && names.includes('lazy')) return 'lazy'
    if (from === 'react-hook-form' && names.includes('useForm')) return 'form'
    return names.includes('DeleteConfirmation') ? 'confirm' : null
  }
  if (node.type !== 'JSXOpeningElement' || node.name.type !== 'JSXIdentifier') return null
  if (node.name.name === 'form') return 'form'
  if (node.name.name === 'Pager' && /<\w*Table\b/.test(file.text)) return 'list'
  // Retry of a read: `onRetry={() => void refetch()}`.
  const isReadProblem = node.name.name === 'ProblemAlert' && node.attributes.some((one) => isRetryOfRead(file, one))
  return isReadProblem ? 'read' : null
}

const isRetryOfRead = ({ text }: SourceFile, attribute: Node): boolean =>
  attribute.type === 'JSXAttribute' &&
  attribute.name.name === 'onRetry' &&
  /\brefetch\b/.test(text.slice(attribute.start, attribute.end))
