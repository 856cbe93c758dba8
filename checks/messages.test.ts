import { readFileSync, globSync } from 'node:fs'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { ROOT_FOLDER } from './runCommand.ts'

/** The texts of screens, each with the files that contain it as a literal. */
function listTextFiles(): Map<string, Set<string>> {
  const filesByText = new Map<string, Set<string>>()
  for (const file of globSync('src/{app,client,components,features}/**/*{M,m}essages.ts', { cwd: ROOT_FOLDER })) {
    const source = ts.createSourceFile(
      file,
      readFileSync(`${ROOT_FOLDER}/${file}`, 'utf8'),
      ts.ScriptTarget.Latest,
      true,
    )
    const visit = (node: ts.Node): void => {
      if (ts.isPropertyAssignment(node) && ts.isStringLiteralLike(node.initializer))
        filesByText.set(node.initializer.text, (filesByText.get(node.initializer.text) ?? new Set()).add(file))
      ts.forEachChild(node, visit)
    }
    visit(source)
  }
  return filesByText
}

test('a text of the screens stands in one file; others refer to it in sharedTexts.ts or commonMessages.ts', () => {
  const filesByText = listTextFiles()
  expect(filesByText.size).toBeGreaterThan(1000)
  expect([...filesByText].filter(([, files]) => files.size > 1).map(([text, files]) => [text, ...files])).toEqual([])
})
