import { afterAll, describe, expect, it, vi } from 'vitest'
import { AUTOMATIC_RULE } from '#domain/chunking/chunkingPlan.ts'
import { extractText } from './extractText.ts'
import { createDocx, createLockedPdf, createPdfBomb, createPdf, createZip } from './files.fixture.ts'
import { countTokens } from './tokenCount.ts'
import { createWorkerPool } from './workerPool.ts'

const extractFrom = async (name: string, bytes: Uint8Array | string) =>
  (await extractText({ name, bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes })).text

const findRefusal = (name: string, bytes: Uint8Array | string): Promise<unknown> =>
  extractFrom(name, bytes).catch((reason: unknown) => reason)

const createOneFileZip = (name: string, flags?: number) => createZip([{ name, data: Buffer.from('no xml'), flags }])
const BOMB = { name: 'bomb', data: Buffer.alloc(101 * 1024 * 1024) }

describe('extract', () => {
  it('reads text, Markdown and CSV as they are', async () => {
    expect(await extractFrom('a.txt', 'Grüße, 世界 👋')).toBe('Grüße, 世界 👋')
    expect(await extractFrom('A.MD', '# Title\n\nText')).toBe('# Title\n\nText')
    expect(await extractFrom('a.csv', 'question,answer\n"a, b",c')).toBe('question,answer\n"a, b",c')
  })

  it('reads HTML that is nested deeper than calls may be', async () => {
    expect(await extractFrom('deep.html', `${'<b>'.repeat(20_000)}deep`)).toBe('deep')
  })

  it.each([
    ['a program', 'run.exe', 'MZ', 415],
    ['a file without an extension', 'README', 'text', 415],
    ['a PDF that is named as text', 'a.txt', createPdf(['x']), 415],
    ['text that is named as a PDF', 'a.pdf', 'just text', 415],
    ['an archive that is named as a Word document', 'a.docx', createOneFileZip('a.txt'), 415],
    ['bytes that are named as text', 'a.md', Buffer.from([104, 0, 105]), 415],
    ['an empty file', 'a.txt', '', 400],
    ['a file of blanks', 'a.txt', ' \n\t ', 400],
    ['a PDF that is locked', 'a.pdf', createLockedPdf(), 400],
    ['a PDF that is cut off', 'a.pdf', createPdf(['x']).subarray(0, 120), 400],
    ['a PDF without text', 'a.pdf', createPdf([' ']), 400],
    ['a Word document that is cut off', 'a.docx', createDocx(['x']).subarray(0, 200), 400],
    ['a Word document that is locked', 'a.docx', createOneFileZip('word/document.xml', 1), 400],
    ['a Word document of no XML', 'a.docx', createOneFileZip('word/document.xml'), 400],
    ['a page without text', 'a.html', '<script>1</script>', 400],
    ['an archive that unpacks too large', 'a.docx', createDocx(['x'], [BOMB]), 413],
  ] as const)('refuses %s', async (_, name, bytes, status) => {
    expect(await findRefusal(name, bytes as Uint8Array | string)).toMatchObject({ name: 'PlatformError', status })
  })
})

describe('the worker pool', () => {
  const workerPool = createWorkerPool({ timeoutMs: 300_000, heapMib: 256, externalMib: 96 })
  afterAll(() => workerPool.close())

  it('reads a file, and says of a bad one what is wrong with it', async () => {
    expect((await workerPool.extractText({ name: 'a.pdf', bytes: createPdf(['Hello']) })).text).toBe('Hello')
    await expect(workerPool.extractText({ name: 'a.pdf', bytes: createLockedPdf() })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('encrypted') as string,
    })
  })

  it('stops a PDF that unpacks beyond the bound, and goes on with the next file', async () => {
    const bomb = { name: 'bomb.pdf', bytes: createPdfBomb(250_000_000) }
    await expect(workerPool.extractText(bomb)).rejects.toMatchObject({ status: 400, code: 'invalid_param' })
    expect((await workerPool.extractText({ name: 'a.txt', bytes: Buffer.from('still here') })).text).toBe('still here')
  })

  it('stops a file that takes too long', async () => {
    const hasty = createWorkerPool({ timeoutMs: 300, heapMib: 256, externalMib: 256 })
    const deep = Buffer.from(`${'<table><tr><td>'.repeat(400_000)}x`)
    await expect(hasty.extractText({ name: 'slow.html', bytes: deep })).rejects.toMatchObject({ status: 400 })
    await hasty.close()
  })

  it('takes more orders than it has workers', async () => {
    const read = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        workerPool.extractText({ name: 'a.md', bytes: Buffer.from(`text ${index}`) }),
      ),
    )
    expect(read.map(({ text }) => text)).toEqual(Array.from({ length: 8 }, (_, index) => `text ${index}`))
  })

  it('counts a long text beside the event loop, also while every indexing worker is busy', async () => {
    const making = {
      text: 'one two',
      extension: 'txt',
      rule: AUTOMATIC_RULE,
      form: 'text_model',
      passageContext: { dataset_id: 'd', title: 't' },
    } as const
    const busy = [workerPool.chunk(making), workerPool.chunk(making)]
    for (const stages of busy) await stages.next()
    const text = Array.from({ length: 40_000 }, (_, index) => `Aa${index}-`).join('')
    let turns = 0
    let isDone = false
    const turn = () => {
      turns++
      if (!isDone) setImmediate(turn)
    }
    setImmediate(turn)
    const tokens = await workerPool.countTokens(text)
    isDone = true
    expect(tokens).toBe(countTokens(text))
    // On the event loop there would be none before the count.
    expect(turns).toBeGreaterThan(10)
    for (const stages of busy) await stages.return(undefined)
  })

  it('estimates the tokens of a text that the worker cannot count', async () => {
    const small = createWorkerPool({ timeoutMs: 300_000, heapMib: 4, externalMib: 256 })
    expect(await small.countTokens('word '.repeat(10_000))).toBe(12_500)
    await small.close()
  })
})

it('counting keeps no words, so that a text takes the same time however long the server lives', () => {
  const words = (from: number) => Array.from({ length: 1_000 }, (_, index) => `Xq${from + index}zY`).join(' ')
  countTokens(words(0))
  const set = vi.spyOn(Map.prototype, 'set')
  const remove = vi.spyOn(Map.prototype, 'delete')
  countTokens(words(0))
  countTokens(words(1_000))
  const calls = set.mock.calls.length + remove.mock.calls.length
  vi.restoreAllMocks()
  expect(calls).toBe(0)
})
