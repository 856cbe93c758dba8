import type { Run } from '#contract/runs.ts'
import { silence } from '../database/post.ts'
import type { CallRow } from '../ledger/call.ts'
import { Elsewhere } from './elsewhere.ts'
import type { NewFrame } from './frames.ts'

export const RUN = { id: 'r', status: 'succeeded', frames: 0 } as Run
export const frame = (seq: number, size = 20): Omit<NewFrame, 'raw'> => ({
  seq,
  at: seq,
  bytes: size,
  block: `data: ${'x'.repeat(size - 6)}`,
})

/** A table of frames whose readers can be held back. */
export class Table {
  rows: Omit<NewFrame, 'raw'>[] = []
  status: CallRow['status'] = 'streaming'
  largest = 0
  reads = 0
  /** Called while a page is under way, after it was read. */
  during: () => Promise<void> | void = () => undefined
  readonly tables = { ledger: this, elsewhere: new Elsewhere(this, silence) }

  frames = async (_id: string, after: number, limit: number, bytes = Infinity): Promise<Omit<NewFrame, 'raw'>[]> => {
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
  after = async ([known]: readonly { id: string; seq: number }[], limit: number, bytes: number) => {
    const states = new Map([['r', this.status] as const])
    const frames = await this.frames('r', known?.seq ?? 0, limit, bytes)
    return { states, frames: frames.map((one) => ({ id: 'r', ...one })) }
  }
  brief = async (): Promise<CallRow> =>
    ({
      ...RUN,
      status: this.status,
      frames: 99,
      bytes: '0',
      created_at: new Date(0),
      person: null,
    }) as unknown as CallRow
}
