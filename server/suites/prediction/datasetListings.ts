import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { PredictedChunking, SuitePrediction } from '#contract/console/experiments/predictions.ts'
import type { RetrievalModel } from '#contract/platform/schemas.ts'
import { fillPath } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { ProblemError } from '#contract/problem.ts'
import { fetchJson } from '../../relay/upstream/fetchJson.ts'
import type { UpstreamClient } from '../../relay/upstream/upstream.ts'
import type { PlatformCredential } from '../../vault/vault.ts'
import { createEstimate, type Estimate } from './estimate.ts'
import { type ListedDocument, listDataset } from './listedDataset.ts'
import { parseBySchema } from '#domain/losslessJson.ts'

type Chunking = z.output<typeof PredictedChunking> | null
type Obstacle = NonNullable<SuitePrediction['reason']>

/** The searchable segments of a dataset and its settings when they were listed. */
export interface Listing {
  id: string
  documents: readonly ListedDocument[]
  /** Empty if the platform does not report them. */
  settings: Partial<z.output<typeof RetrievalModel>>
  /** The index of the segments, or of the chunks that their texts would be split into; the latest is cached. */
  estimate(chunking: Chunking): Promise<Estimate>
}

interface CachedListing {
  /** Identifies the key and the dataset, which another request must name as well. */
  source: string
  usedAt: number
  listing: Promise<Listing | Obstacle>
}

const MAX_LISTINGS = 2
const IDLE_TTL_MS = 300_000

/** The statuses of a platform without this path. */
export const NO_SUCH_ROUTE = [404, 405]

/**
 * Caches the last listed datasets from the first to the last request of a check: listing them again would take most
 * of the time.
 */
export class DatasetListings {
  readonly #upstream: UpstreamClient
  readonly #cache = new Map<string, CachedListing>()

  constructor(upstream: UpstreamClient) {
    this.#upstream = upstream
  }

  /** The cached listing with this id, if it belongs to this dataset; else a new one. @throws ProblemError */
  get(credential: PlatformCredential, dataset_id: string, listing_id?: string): Promise<Listing | Obstacle> {
    const source = `${credential.key_id} ${dataset_id}`
    const known = listing_id === undefined ? undefined : this.#cache.get(listing_id)
    if (listing_id !== undefined && known?.source === source && performance.now() - known.usedAt < IDLE_TTL_MS)
      return this.#keep(listing_id, known)
    const id = randomUUID()
    const listing = createListing(this.#upstream, credential, dataset_id, id)
    listing.catch(() => this.#cache.delete(id))
    return this.#keep(id, { source, usedAt: 0, listing })
  }

  #keep(id: string, cached: CachedListing): CachedListing['listing'] {
    this.#cache.delete(id)
    this.#cache.set(id, { ...cached, usedAt: performance.now() })
    for (const oldest of [...this.#cache.keys()].slice(0, -MAX_LISTINGS)) this.#cache.delete(oldest)
    return cached.listing
  }
}

async function createListing(
  upstream: UpstreamClient,
  credential: PlatformCredential,
  dataset_id: string,
  id: string,
): Promise<Listing | Obstacle> {
  const documents = await listSegments(upstream, credential, dataset_id)
  if (typeof documents === 'string') return documents
  const settings = await readSettings(upstream, credential, dataset_id)
  let latest: { key: string; estimate: Promise<Estimate> } | null = null
  const estimate = (chunking: Chunking) => {
    const key = JSON.stringify(chunking)
    if (latest?.key !== key) latest = { key, estimate: createEstimate(documents, chunking) }
    return latest.estimate
  }
  return { id, documents, settings, estimate }
}

async function listSegments(
  upstream: UpstreamClient,
  credential: PlatformCredential,
  dataset_id: string,
): Promise<readonly ListedDocument[] | Obstacle> {
  try {
    return (await listDataset(upstream, credential, dataset_id)) ?? 'too_large'
  } catch (error) {
    const status = error instanceof ProblemError ? error.problem.upstream?.status : undefined
    if (status !== undefined && NO_SUCH_ROUTE.includes(status)) return 'not_listed'
    throw error
  }
}

async function readSettings(upstream: UpstreamClient, credential: PlatformCredential, dataset_id: string) {
  try {
    const path = fillPath(contract.adjacent.readDataset.path, { dataset_id })
    const reply = parseBySchema(contract.adjacent.readDataset.reply, await fetchJson(upstream, credential, { path }))
    return reply.success ? (reply.data.retrieval_model_dict ?? {}) : {}
  } catch (error) {
    if (error instanceof ProblemError) return {}
    throw error
  }
}
