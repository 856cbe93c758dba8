import type { Run } from '#contract/console/runs.ts'
import { createNoMessageBus } from '../../db/messageBus.ts'
import type { CallRow } from '../../ledger/callRow.ts'
import { RemoteRunReader } from './remoteRunReader.ts'
import type { NewFrame } from '../streaming/frameWriter.ts'

export const TEST_RUN = { id: 'r', status: 'succeeded', frames: 0 } as Run
export const toTestFrame = (seq: number, size = 20): Omit<NewFrame, 'raw'> => ({
  seq,
  at: seq,
  bytes: size,
  block: `data: ${'x'.repeat(size - 6)}`,
})

/** A table of frames whose reads a test can delay. */
export class FrameTable {
  rows: Omit<NewFrame, 'raw'>[] = []
  status: CallRow['status'] = 'streaming'
  largest = 0
  reads = 0
  /** Called after a page was read, before it is returned. */
  during: () => Promise<void> | void = () => undefined
  readonly sources = { ledger: this, remoteRuns: new RemoteRunReader(this, createNoMessageBus()) }

  readFrames = async (
    _id: string,
    after: number,
    limit: number,
    bytes = Infinity,
  ): Promise<Omit<NewFrame, 'raw'>[]> => {
    this.reads++
    let size = 0
    const page: Omit<NewFrame, 'raw'>[] = []
    for (const one of this.rows.filter(({ seq }) => seq > after)) {
      if (page.length === limit || size >= bytes) break
      page.push(one)
      size += one.bytes
    }
    this.largest = Math.max(this.largest, size)
    await this.during()
    return page
  }
  readFramesAfter = async ([known]: readonly { id: string; seq: number }[], limit: number, bytes: number) => {
    const statuses = new Map([['r', this.status] as const])
    const frames = await this.readFrames('r', known?.seq ?? 0, limit, bytes)
    return { statuses, silent: new Set<string>(), frames: frames.map((one) => ({ id: 'r', ...one })) }
  }
  findSummary = async (): Promise<CallRow> =>
    ({
      ...TEST_RUN,
      status: this.status,
      frames: 99,
      bytes: '0',
      created_at: new Date(0),
      person: null,
    }) as unknown as CallRow
}
