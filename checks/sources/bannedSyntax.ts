import { type Node, type SourceFile, TEST_FILE, toPlace, walk } from './sourceFiles.ts'

/** What can be clicked is a button or a link, so that the keyboard and a screen reader reach it. */
const PLAIN_ELEMENTS = /^(a|article|div|img|li|p|section|span|svg|td|th|tr|ul)$/
/** Markup from a text of a platform; `src/components/markdown` draws such texts. */
const MARKUP_PROPERTIES = /^(innerHTML|outerHTML|insertAdjacentHTML|srcdoc)$/
const SWITCHED_OFF = /^(only|skip|todo)$/
const LINTER_COMMENT = /^\s*(eslint|oxlint)-(disable|enable)|^\s*(eslint|global|globals)\s/
const MAY_WRITE_MARKUP = /^(e2e|checks|bench|cli)\//

/** Syntax that no native rule of the linter forbids, as `file:line: reason`. Comments switch nothing off. */
export function findBannedSyntax(file: SourceFile): string[] {
  const found: string[] = []
  const report = (node: { start: number }, reason: string) => found.push(`${toPlace(file, node)}: ${reason}`)
  for (const comment of file.comments)
    if (LINTER_COMMENT.test(comment.value)) report(comment, 'a comment switches no rule of the linter off')
  const isTest = TEST_FILE.test(file.path) || MAY_WRITE_MARKUP.test(file.path)
  walk(file.program, (node) => {
    if (node.type === 'JSXOpeningElement' && isPlainElement(node) && node.attributes.some(isClickHandler))
      report(node, 'what can be clicked is a button or a link')
    if (node.type === 'Property' && getName(node.key) === 'dangerouslySetInnerHTML')
      report(node, 'text becomes no markup by itself')
    if (!isTest && node.type === 'MemberExpression' && MARKUP_PROPERTIES.test(getName(node.property)))
      report(node, 'text becomes no markup by itself')
    if (node.type === 'CallExpression' && isSwitchedOff(node.callee)) report(node, 'every test runs')
  })
  return found
}

const isPlainElement = ({ name }: Node & { type: 'JSXOpeningElement' }) =>
  name.type === 'JSXIdentifier' && PLAIN_ELEMENTS.test(name.name)

const isClickHandler = (attribute: Node) => attribute.type === 'JSXAttribute' && attribute.name.name === 'onClick'

/** `test.only`, `describe.skip`, also as `test.skip.each`. A name that a condition chose is none. */
function isSwitchedOff(callee: Node): boolean {
  if (callee.type !== 'MemberExpression') return false
  const isTest = /^(describe|it|test)$/.test(getName(callee.object))
  return (isTest && SWITCHED_OFF.test(getName(callee.property))) || isSwitchedOff(callee.object)
}

/** Of `name`, `['name']` and `` [`name`] ``; empty for another expression. */
function getName(node: Node): string {
  if (node.type === 'Identifier') return node.name
  if (node.type === 'Literal') return String(node.value)
  return node.type === 'TemplateLiteral' ? (node.quasis[0]?.value.cooked ?? '') : ''
}
