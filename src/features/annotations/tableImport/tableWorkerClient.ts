import type { TableWorkerRequest, TableCheck, TableRead, TableWorkerResponse } from './tableWorkerMessages.ts'
import type { BatchRowInput } from '#contract/console/batches.ts'
import { parseLosslessJson } from '#domain/losslessJson.ts'

type TableWorkerRequestBody = TableWorkerRequest extends infer One
  ? One extends TableWorkerRequest
    ? Omit<One, 'id'>
    : never
  : never

/** The rows of the table that are not sent. */
export interface SkippedRows {
  skipFaulty: boolean
  skipDuplicates: boolean
}

/** One worker with one table, terminated with the page. */
export class TableWorkerClient {
  readonly #worker = new Worker(new URL('./tableWorker.ts', import.meta.url), { type: 'module' })
  readonly #pending = new Map<number, (response: TableWorkerResponse) => void>()
  #lastRequestId = 0

  constructor() {
    this.#worker.onmessage = ({ data }: MessageEvent<TableWorkerResponse>) => {
      this.#pending.get(data.id)?.(data)
      this.#pending.delete(data.id)
    }
    this.#worker.onerror = () => {
      for (const [id, tell] of this.#pending) tell({ id, kind: 'failed', reason: 'The worker has stopped.' })
      this.#pending.clear()
    }
  }

  /** @throws Error with the reason. */
  async read(
    source: ArrayBuffer | string,
    encoding: Extract<TableWorkerRequestBody, { kind: 'read' }>['encoding'],
    sheet: string | null,
  ): Promise<TableRead> {
    const response = await this.#send({ kind: 'read', source, encoding, sheet })
    return response.kind === 'read' ? response.read : throwFailure(response)
  }

  async check(how: Omit<Extract<TableWorkerRequestBody, { kind: 'check' }>, 'kind'>): Promise<TableCheck> {
    const response = await this.#send({ kind: 'check', ...how })
    return response.kind === 'checked' ? response.checked : throwFailure(response)
  }

  /** @throws Error where the table was read or checked again since the check with this revision. */
  async takeRows(from: number, skipped: SkippedRows, revision: number): Promise<BatchRowInput[]> {
    const response = await this.#send({ kind: 'piece', from, ...skipped, revision })
    return response.kind === 'piece' ? (parseLosslessJson(response.json) as BatchRowInput[]) : throwFailure(response)
  }

  terminate(): void {
    this.#worker.terminate()
  }

  #send(request: TableWorkerRequestBody): Promise<TableWorkerResponse> {
    const id = ++this.#lastRequestId
    return new Promise((resolve) => {
      this.#pending.set(id, resolve)
      this.#worker.postMessage({ ...request, id } as TableWorkerRequest)
    })
  }
}

function throwFailure(response: TableWorkerResponse): never {
  throw new Error(response.kind === 'failed' ? response.reason : response.kind)
}
