import type { Asked, TableChecked, TableRead, Told } from './protocol.ts'
import type { RowInput } from '#contract/batches.ts'

type Wanted = Asked extends infer One ? (One extends Asked ? Omit<One, 'id'> : never) : never

/** One worker with one table; it goes with the page. */
export class TableThread {
  readonly #worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
  readonly #waiting = new Map<number, (told: Told) => void>()
  #last = 0

  constructor() {
    this.#worker.onmessage = ({ data }: MessageEvent<Told>) => {
      this.#waiting.get(data.id)?.(data)
      this.#waiting.delete(data.id)
    }
    this.#worker.onerror = () => {
      for (const [id, tell] of this.#waiting) tell({ id, kind: 'failed', reason: 'The worker has stopped.' })
      this.#waiting.clear()
    }
  }

  /** @throws Error with the reason. */
  async read(
    source: ArrayBuffer | string,
    encoding: Extract<Wanted, { kind: 'read' }>['encoding'],
  ): Promise<TableRead> {
    const told = await this.#ask({ kind: 'read', source, encoding })
    return told.kind === 'read' ? told.read : failed(told)
  }

  async check(how: Omit<Extract<Wanted, { kind: 'check' }>, 'kind'>): Promise<TableChecked> {
    const told = await this.#ask({ kind: 'check', ...how })
    return told.kind === 'checked' ? told.checked : failed(told)
  }

  async piece(from: number, skipFaulty: boolean): Promise<RowInput[]> {
    const told = await this.#ask({ kind: 'piece', from, skipFaulty })
    return told.kind === 'piece' ? told.rows : failed(told)
  }

  end(): void {
    this.#worker.terminate()
  }

  #ask(wanted: Wanted): Promise<Told> {
    const id = ++this.#last
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      this.#worker.postMessage({ ...wanted, id } as Asked)
    })
  }
}

function failed(told: Told): never {
  throw new Error(told.kind === 'failed' ? told.reason : told.kind)
}
