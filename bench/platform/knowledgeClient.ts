import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { LoupeProcess } from '#support/loupeProcess.ts'
import type { SendRequest } from '../../checks/kill/consoleClient.ts'

const POLL_INTERVAL_MS = 100
const DOCUMENTS_PER_PAGE = 100
const TICK_MS = 10
/** Fields of `/proc/PID/stat` behind the name of the program: user and system time in ticks. */
const [USER_TIME, SYSTEM_TIME] = [11, 12]

/** A segment for each piece of a text between two separators. */
export const toProcessRule = (separator: string, max_tokens: number) => ({
  mode: 'custom',
  rules: { pre_processing_rules: [], segmentation: { separator, max_tokens, chunk_overlap: 0 } },
})

interface IndexingStatus {
  indexing_status: string
  total_segments: number
  error: string | null
}

/** Waits until the documents of a batch are indexed. @returns the segments of the first. @throws Error if one is not indexed */
export async function waitUntilIndexed(send: SendRequest, dataset_id: string, batch: string): Promise<number> {
  for (;;) {
    const path = `/datasets/${dataset_id}/documents/${batch}/indexing-status`
    const { data } = await send<{ data: IndexingStatus[] }>('GET', path)
    const failed = data.find(({ indexing_status }) => indexing_status === 'error')
    if (failed) throw new Error(`not indexed: ${failed.error}`)
    if (data.every(({ indexing_status }) => indexing_status === 'completed')) return data[0]?.total_segments ?? 0
    await wait(POLL_INTERVAL_MS)
  }
}

/** Waits until the documents of a dataset are indexed, page by page: one that is available stays so. */
export async function waitUntilAllIndexed(send: SendRequest, dataset_id: string, count: number): Promise<void> {
  for (let page = 1; (page - 1) * DOCUMENTS_PER_PAGE < count;) {
    const path = `/datasets/${dataset_id}/documents?page=${page}&limit=${DOCUMENTS_PER_PAGE}`
    const { data } = await send<{ data: Omit<IndexingStatus, 'total_segments'>[] }>('GET', path)
    const failed = data.find(({ indexing_status }) => indexing_status === 'error')
    if (failed) throw new Error(`not indexed: ${failed.error}`)
    if (data.length > 0 && data.every(({ indexing_status }) => indexing_status === 'completed')) page++
    else await wait(POLL_INTERVAL_MS)
  }
}

/** Creates a document from a text. */
export const createDocument = (
  send: SendRequest,
  dataset_id: string,
  name: string,
  text: string,
  process_rule: object,
) =>
  send<{ document: { id: string }; batch: string }>('POST', `/datasets/${dataset_id}/document/create-by-text`, {
    name,
    text,
    indexing_technique: 'economy',
    process_rule,
  })

/**
 * CPU time of all threads of the process since its start, in milliseconds. Other than a duration it hardly depends on what
 * else the machine does.
 */
export function readCpuMs({ pid }: LoupeProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME])) * TICK_MS
}
