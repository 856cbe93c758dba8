import type { FuzzTarget } from './target.ts'

/** Each is loaded by the thread that tries it, and by no other. */
const openers: Record<string, () => Promise<FuzzTarget>> = {
  sse: async () => (await import('./splitterTarget.ts')).createSplitterTarget(),
  folds: async () => (await import('./foldTarget.ts')).createFoldTarget(),
  redactor: async () => (await import('./redactionTarget.ts')).createRedactionTarget(),
  egress: async () => (await import('./egressTarget.ts')).createEgressTarget(),
  paths: async () => (await import('./pathTarget.ts')).createPathTarget(),
  markdown: async () => (await import('./markdownTarget.ts')).createMarkdownTarget(),
  csv: async () => (await import('./csvTarget.ts')).createCsvTarget(),
  multipart: async () => (await import('./multipartTarget.ts')).createMultipartTarget(),
}
export const TARGET_NAMES = Object.keys(openers)

/** @throws Error for a name that there is not. */
export async function openTarget(name: string): Promise<FuzzTarget> {
  const open = openers[name]
  if (!open) throw new Error(`There is no target ${name}; there are ${TARGET_NAMES.join(', ')}.`)
  return open()
}
