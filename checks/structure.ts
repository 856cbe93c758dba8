import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import ts from 'typescript'
import { ROOT_FOLDER } from './runCommand.ts'
import { RETIRED_NAMES, RETIRED_WORDS, STORED_NAMES } from './retiredWords.ts'

/** What the rules of naming and size find in the source files. */
export interface Structure {
  /** `file:line name: use …` */
  retired: string[]
  /** Exported names with more than one meaning within `src/` or within `server/`. */
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
const TEST = /\.(test|spec|testing|fixture)\.tsx?$|^e2e\/|^bench\/|^checks\//

export interface SourceText {
  /** From the root of the project. */
  path: string
  text: string
}

export function readSources(): SourceText[] {
  const paths = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT_FOLDER,
    encoding: 'utf8',
  }).split('\n')
  return paths
    .filter((path) => /^(src|server|cli|e2e|checks|bench)\/.*\.tsx?$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(ROOT_FOLDER, path), 'utf8') }))
}

export function examine(sources: readonly SourceText[]): Structure {
  const structure: Structure = { retired: [], ambiguous: [], unnamedNumbers: [], longFunctions: [], largeFolders: [] }
  const exportsByRoot = new Map<string, Map<string, Set<string>>>()
  const folders = new Map<string, number>()
  for (const { path, text } of sources) {
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
    const isTest = TEST.test(path)
    for (const word of wordsIn(basename(path).replace(/\..*$/, '')))
      if (word in RETIRED_WORDS)
        structure.retired.push(`${path}: the file's name has ${word}: use ${RETIRED_WORDS[word]}`)
    if (!isTest) folders.set(dirname(path), (folders.get(dirname(path)) ?? 0) + 1)
    for (const statement of file.statements) {
      for (const { name, initializer } of declarationsIn(statement)) {
        const isNumber = initializer !== undefined && isNumeric(initializer)
        if (isNumber && /^[A-Z]+$/.test(name)) structure.unnamedNumbers.push(`${at(file, statement)} ${name}`)
        if (isTest || !isExported(statement) || SHARED_NAMES.has(name)) continue
        const top = path.split('/')[0] ?? ''
        const names = exportsByRoot.get(top) ?? new Map<string, Set<string>>()
        exportsByRoot.set(top, names)
        names.set(name, (names.get(name) ?? new Set()).add(path))
      }
    }
    visit(file, (node) => {
      const name = declaredName(node)
      if (name !== null && !Object.hasOwn(STORED_NAMES, `${path} ${name}`)) {
        const word = wordsIn(name).find((one) => Object.hasOwn(RETIRED_WORDS, one))
        const better = RETIRED_NAMES[name] ?? (word && RETIRED_WORDS[word])
        if (better) structure.retired.push(`${at(file, node)} ${name}: use ${better}`)
      }
      if (!isTest && ts.isFunctionLike(node)) {
        const lines = getLineNumber(file, node.end) - getLineNumber(file, node.getStart(file)) + 1
        if (lines > MAX_FUNCTION_LINES) structure.longFunctions.push(`${at(file, node)} ${lines} lines`)
      }
    })
  }
  for (const names of exportsByRoot.values())
    for (const [name, paths] of names) if (paths.size > 1) structure.ambiguous.push(`${name}: ${[...paths].join(', ')}`)
  for (const [folder, count] of folders)
    if (count > MAX_FOLDER_FILES) structure.largeFolders.push(`${folder}: ${count} files`)
  return structure
}

function declarationsIn(statement: ts.Statement): { name: string; initializer?: ts.Expression | undefined }[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
      ts.isIdentifier(name) ? [{ name: name.text, initializer }] : [],
    )
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement)
  return isNamed && statement.name ? [{ name: statement.name.text }] : []
}

function isExported(statement: ts.Statement): boolean {
  return ts.canHaveModifiers(statement)
    ? (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    : false
}

function isNumeric(node: ts.Expression): boolean {
  if (ts.isNumericLiteral(node)) return true
  if (ts.isParenthesizedExpression(node)) return isNumeric(node.expression)
  if (ts.isPrefixUnaryExpression(node)) return isNumeric(node.operand)
  return ts.isBinaryExpression(node) && isNumeric(node.left) && isNumeric(node.right)
}

/** The name that a node declares: of a variable, a parameter, a function, a type or a member. */
function declaredName(node: ts.Node): string | null {
  const isDeclaration =
    ts.isVariableDeclaration(node) ||
    ts.isBindingElement(node) ||
    ts.isParameter(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isPropertySignature(node)
  const name = isDeclaration ? node.name : undefined
  return name && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) ? name.text.replace(/^#/, '') : null
}

/** `MAX_ROWS` and `toMaxRows` have the words max and rows. */
const wordsIn = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z]+/)
    .map((word) => word.toLowerCase())

function visit(node: ts.Node, use: (node: ts.Node) => void): void {
  use(node)
  ts.forEachChild(node, (child) => visit(child, use))
}

const getLineNumber = (file: ts.SourceFile, position: number): number =>
  file.getLineAndCharacterOfPosition(position).line + 1
const at = (file: ts.SourceFile, node: ts.Node): string =>
  `${file.fileName}:${getLineNumber(file, node.getStart(file))}`
