import { join } from 'node:path'
import { LoupeProcess } from '#support/loupeProcess.ts'
import { SHARED_DATA } from '#support/requirements.ts'
import { readBenchOptions } from '../benchOptions.ts'
import type { Figure } from '../figure.ts'
import { KNOWLEDGE_KEY } from './knowledgeClient.ts'
import { readCollections, type RetrievalCollection } from './retrievalCollections.ts'
import { toQualityFigures } from './retrievalFigures.ts'
import { measureQuality } from './retrievalQuality.ts'
import { measureRetrievalSpeed } from './retrievalSpeed.ts'

/**
 * What the built-in platform finds and answers on public collections, through its API, against a textbook BM25 and
 * minisearch over the same documents, and how long it takes. `--collections DIR` names their folder, `--only NAME` takes
 * one of them, `--quality` measures only what is found and answered, `--speed` only time over many documents.
 */
export async function runRetrievalBench(): Promise<Figure[]> {
  const options = readBenchOptions()
  const { collections: folder, only } = options
  const all = readCollections(folder ?? join(SHARED_DATA, 'retrieval'))
  const unknown = only?.find((name) => !all.some((collection) => collection.name === name))
  if (unknown !== undefined)
    throw new Error(`There is no collection ${unknown}. There are ${all.map(({ name }) => name).join(', ')}.`)
  const wanted = all.filter(({ name }) => only?.includes(name) ?? true)
  return [
    ...(options.speed ? [] : await measureCollections(wanted, all)),
    ...(options.quality ? [] : await measureRetrievalSpeed(wanted)),
  ]
}

async function measureCollections(
  wanted: readonly RetrievalCollection[],
  all: readonly RetrievalCollection[],
): Promise<Figure[]> {
  const loupe = await new LoupeProcess({ PLATFORM_KNOWLEDGE_KEY: KNOWLEDGE_KEY }).start()
  try {
    const figures: Figure[] = []
    for (const collection of wanted) {
      console.error(`retrieval: ${collection.name} ...`)
      figures.push(...toQualityFigures(await measureQuality(loupe, collection, all)))
    }
    return figures
  } finally {
    await loupe.remove()
  }
}
