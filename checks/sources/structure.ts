import { basename, dirname } from 'node:path'
import { RETIRED_NAMES, RETIRED_WORDS, STORED_NAMES } from './retiredWords.ts'
import { type Node, type SourceFile, TEST_FILE, toPlace, walk } from './sourceFiles.ts'

/** What the rules of naming and size find in the source files. */
export interface Structure {
  /** `file:line name: use …` */
  retired: string[]
  /** Exported names with more than one meaning within one folder of `src/features` or `server/`. */
  ambiguous: string[]
  /** Module constants with a number and a name of one word, which says neither what they limit nor the unit. */
  unnamedNumbers: string[]
  /** Functions over `MAX_FUNCTION_LINES`. */
  longFunctions: string[]
  /** Folders with more than `MAX_FOLDER_FILES` files, tests and styles not counted. */
  largeFolders: string[]
}

const MAX_FUNCTION_LINES = 120
const MAX_FOLDER_FILES = 25
/** Names that a framework or a convention gives to many files. */
const SHARED_NAMES = new Set(['default', 'messages', 'Props', 'routes'])
const NAME_SCOPE = /^(?:src\/features|server)\/[^/]+\//

export function findStructureFaults(sources: readonly SourceFile[]): Structure {
  const structure: Structure = { retired: [], ambiguous: [], unnamedNumbers: [], longFunctions: [], largeFolders: [] }
  const exports = new Map<string, Set<string>>()
  const folders = new Map<string, number>()
  for (const file of sources) {
    const { path, program } = file
    for (const word of splitWords(basename(path).replace(/\..*$/, '')))
      if (Object.hasOwn(RETIRED_WORDS, word))
        structure.retired.push(`${path}: the file's name has ${word}: use ${RETIRED_WORDS[word]}`)
    for (const statement of program.body)
      for (const { name, init } of listDeclarations(statement))
        if (/^[A-Z]+$/.test(name) && isNumeric(init))
          structure.unnamedNumbers.push(`${toPlace(file, statement)} ${name}`)
    const isTest = TEST_FILE.test(path) || /^(e2e|bench|checks)\//.test(path)
    walk(program, (node) => {
      for (const name of listDeclaredNames(node)) {
        const better = Object.hasOwn(STORED_NAMES, `${path} ${name}`) ? undefined : findBetterName(name)
        if (better) structure.retired.push(`${toPlace(file, node)} ${name}: use ${better}`)
      }
      if (isTest || !isFunction(node)) return
      const lines = file.text.slice(node.start, node.end).split('\n').length
      if (lines > MAX_FUNCTION_LINES) structure.longFunctions.push(`${toPlace(file, node)} ${lines} lines`)
    })
    if (isTest) continue
    folders.set(dirname(path), (folders.get(dirname(path)) ?? 0) + 1)
    const scope = NAME_SCOPE.exec(path)?.[0]
    if (!scope) continue
    for (const name of listExportedNames(file))
      if (!SHARED_NAMES.has(name)) exports.set(scope + name, (exports.get(scope + name) ?? new Set()).add(path))
  }
  for (const [name, paths] of exports)
    if (paths.size > 1) structure.ambiguous.push(`${basename(name)}: ${[...paths].join(', ')}`)
  for (const [folder, count] of folders)
    if (count > MAX_FOLDER_FILES) structure.largeFolders.push(`${folder}: ${count} files`)
  return structure
}

const listExportedNames = ({ program }: SourceFile): string[] =>
  program.body.flatMap((statement) =>
    statement.type === 'ExportNamedDeclaration' ? listDeclarations(statement).map(({ name }) => name) : [],
  )

/** The names that a statement of a module declares, exported or not. */
function listDeclarations(statement: Node): { name: string; init?: Node | null }[] {
  if (statement.type === 'ExportNamedDeclaration')
    return statement.declaration ? listDeclarations(statement.declaration) : []
  if (statement.type === 'VariableDeclaration')
    return statement.declarations.flatMap(({ id, init }) => (id.type === 'Identifier' ? [{ name: id.name, init }] : []))
  return listOwnName(statement).map((name) => ({ name }))
}

function isNumeric(node: Node | null | undefined): boolean {
  if (node?.type === 'Literal') return typeof node.value === 'number'
  if (node?.type === 'ParenthesizedExpression') return isNumeric(node.expression)
  if (node?.type === 'UnaryExpression') return isNumeric(node.argument)
  return node?.type === 'BinaryExpression' && isNumeric(node.left) && isNumeric(node.right)
}

/** The names that a node declares: of a variable, parameters, a function, a type or a member. */
function listDeclaredNames(node: Node): string[] {
  switch (node.type) {
    case 'VariableDeclarator':
      return listBoundNames(node.id)
    case 'ArrowFunctionExpression':
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'TSDeclareFunction':
    case 'TSEmptyBodyFunctionExpression':
    case 'TSFunctionType':
    case 'TSMethodSignature':
      return [...listOwnName(node), ...node.params.flatMap(listBoundNames)]
    case 'CatchClause':
      return node.param ? listBoundNames(node.param) : []
    case 'MethodDefinition':
    case 'PropertyDefinition':
    case 'TSPropertySignature':
      return node.key.type === 'Identifier' || node.key.type === 'PrivateIdentifier' ? [node.key.name] : []
    default:
      return listOwnName(node)
  }
}

/** Of a function, a class, an interface or a type. */
function listOwnName(node: Node): string[] {
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ClassDeclaration':
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
      return node.id ? [node.id.name] : []
    default:
      return []
  }
}

/** The names of a pattern: `{ a, b: [c] = [] }` binds `a` and `c`. */
function listBoundNames(pattern: Node): string[] {
  if (pattern.type === 'Identifier') return [pattern.name]
  if (pattern.type === 'AssignmentPattern') return listBoundNames(pattern.left)
  if (pattern.type === 'RestElement') return listBoundNames(pattern.argument)
  if (pattern.type === 'ArrayPattern')
    return pattern.elements.flatMap((element) => (element ? listBoundNames(element) : []))
  if (pattern.type === 'TSParameterProperty') return listBoundNames(pattern.parameter)
  if (pattern.type !== 'ObjectPattern') return []
  return pattern.properties.flatMap((property) =>
    listBoundNames(property.type === 'Property' ? property.value : property),
  )
}

const isFunction = (node: Node) =>
  node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression'

function findBetterName(name: string): string | undefined {
  const word = splitWords(name).find((one) => Object.hasOwn(RETIRED_WORDS, one))
  return Object.hasOwn(RETIRED_NAMES, name) ? RETIRED_NAMES[name] : word && RETIRED_WORDS[word]
}

/** `MAX_ROWS` and `toMaxRows` have the words max and rows. */
const splitWords = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z]+/)
    .map((word) => word.toLowerCase())
