import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { LoupeProcess, TEMPLATE_ENV } from './loupeProcess.ts'

const KNOWLEDGE_KEY = 'knowledge-of-the-template'

/**
 * Before all specs: a folder as a first start leaves it, which the Loupe of each file begins with. A first start takes
 * seconds, and one spec walks it for itself.
 */
export default async function makeTemplate(): Promise<() => void> {
  const loupe = await new LoupeProcess({ PLATFORM_KNOWLEDGE_KEY: KNOWLEDGE_KEY }).start()
  while (!(await isIndexed(loupe.platform))) await wait(100)
  await loupe.stop()
  process.env[TEMPLATE_ENV] = loupe.folder
  return () => rmSync(loupe.folder, { recursive: true, force: true })
}

async function isIndexed(platform: string): Promise<boolean> {
  const read = async (path: string) => {
    const response = await fetch(platform + path, { headers: { authorization: `Bearer ${KNOWLEDGE_KEY}` } })
    return ((await response.json()) as { data: { id: string; indexing_status?: string }[] }).data
  }
  const datasets = await read('/datasets')
  const documents = await Promise.all(datasets.map(({ id }) => read(`/datasets/${id}/documents`)))
  return datasets.length > 0 && documents.flat().every(({ indexing_status }) => indexing_status === 'completed')
}
