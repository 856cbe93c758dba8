import type { Target } from './target.ts'

/** Each is loaded by the thread that tries it, and by no other. */
const openers: Record<string, () => Promise<Target>> = {
  sse: async () => (await import('./splitter.ts')).splitter(),
  folds: async () => (await import('./folds.ts')).folds(),
  redactor: async () => (await import('./redactor.ts')).redactor(),
  egress: async () => (await import('./egress.ts')).egressGuard(),
  paths: async () => (await import('./paths.ts')).paths(),
  markdown: async () => (await import('./markdown.ts')).markdown(),
  csv: async () => (await import('./csv.ts')).csv(),
  multipart: async () => (await import('./multipart.ts')).multipart(),
}
export const TARGETS = Object.keys(openers)

/** @throws Error for a name that there is not. */
export async function openTarget(name: string): Promise<Target> {
  const open = openers[name]
  if (!open) throw new Error(`There is no target ${name}; there are ${TARGETS.join(', ')}.`)
  return open()
}
