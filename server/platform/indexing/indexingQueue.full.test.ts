import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { SEGMENT_PER_LINE } from '../datasets/platform.fixture.ts'
import { createTestFolder } from '../../db/embedded/folder.testing.ts'

let running: ChildProcess | null = null
afterAll(async () => {
  running?.kill('SIGKILL')
})

async function start(folder: string): Promise<string> {
  const program = new URL('./server.fixture.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [program, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  running = child
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return line
}

async function kill(): Promise<void> {
  const child = running
  if (!child) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

interface Reply {
  status: number
  body: {
    id: string
    document: { id: string }
    data: { id: string; indexing_status: string; word_count: number }[]
    total: number
  }
}
async function send(base: string, method: string, path: string, body?: object): Promise<Reply> {
  const reply = await fetch(`${base}${path}`, {
    method,
    headers: { authorization: 'Bearer key-knowledge', 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: reply.status, body: (await reply.json()) as Reply['body'] }
}

const ROUND_COUNT = 3
const DOCUMENT_COUNT = 8
const LINE_COUNT = 60

describe('the indexing queue', () => {
  it('loses nothing that was acknowledged, however often the server is killed', async () => {
    const folder = await createTestFolder()
    let base = await start(folder)
    const dataset = (await send(base, 'POST', '/datasets', { name: 'Killed' })).body.id
    const acknowledged: string[] = []
    for (let round = 0; round < ROUND_COUNT; round++) {
      for (let number = 0; number < DOCUMENT_COUNT; number++) {
        const text = Array.from({ length: LINE_COUNT }, (_, line) => `line ${line} of ${round} ${number}`).join('\n')
        const { status, body } = await send(base, 'POST', `/datasets/${dataset}/document/create-by-text`, {
          name: `${round}.${number}`,
          text,
          ...SEGMENT_PER_LINE,
        })
        expect(status).toBe(200)
        acknowledged.push(body.document.id)
      }
      await kill()
      base = await start(folder)
    }
    const documents = await vi.waitFor(
      async () => {
        const { body } = await send(base, 'GET', `/datasets/${dataset}/documents?limit=100`)
        if (body.data.some((one) => one.indexing_status !== 'completed')) throw new Error('still indexing')
        return body.data
      },
      { interval: 100 },
    )
    expect(documents.map(({ id }) => id).sort()).toEqual(acknowledged.sort())
    for (const { id } of documents) {
      const { body } = await send(base, 'GET', `/datasets/${dataset}/documents/${id}/segments?limit=1`)
      expect(body.total).toBe(LINE_COUNT)
    }
    await kill()
    await rm(folder, { recursive: true, force: true })
  })
})
