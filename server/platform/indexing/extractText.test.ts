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

  it('reads UTF-16 that says so, and leaves out a byte order mark', async () => {
    expect(await extractFrom('a.txt', Buffer.from('\uFEFFhello 你好', 'utf16le'))).toBe('hello 你好')
    expect(await extractFrom('a.txt', '\uFEFFhello')).toBe('hello')
  })

  it('reads a page of HTML as it would be read, and runs nothing in it', async () => {
    const page = `<html><head><title>T</title><style>p{}</style></head><body><h1>Head&nbsp;line</h1>
      <p>One <b>bold</b> &amp; &lt;plain&gt;<br>line</p><script>document.write('evil')</script>
      <ul><li>first</li><li>second</li></ul><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>
      <img src=x onerror=alert(1)></body></html>`
    expect(await extractFrom('a.html', page)).toBe(
      '# Head line\n\nOne bold & <plain>\nline\n- first\n- second\n\n| a | b |\n| --- | --- |\n| 1 | 2 |',
    )
  })

  it('reads tables of HTML as Markdown, with cells that span, and leaves out the grid of a layout', async () => {
    const table = `<table><caption>Parts</caption><thead><tr><th>Part</th><th>Weight</th></tr></thead>
      <tr><td rowspan=2>Seat<br>cold</td><td>12&nbsp;g</td></tr><tr><td>a|b</td></tr><tr><td colspan=2>none</td></tr></table>`
    expect(await extractFrom('a.html', table)).toBe(
      'Parts\n\n| Part | Weight |\n| --- | --- |\n| Seat cold | 12 g |\n| Seat cold | a\\|b |\n| none | |',
    )
    const layout = `<table><tr><td><h2>Menu</h2></td><td><table><tr><td>x</td><td>y</td></tr></table></td></tr></table>`
    expect(await extractFrom('a.html', layout)).toContain('## Menu')
    expect(await extractFrom('a.html', layout)).toContain('| x | y |')
    expect(await extractFrom('a.html', '<table><tr><td>One</td></tr><tr><td>Two</td></tr></table>')).not.toContain('|')
  })

  it('reads HTML that is nested deeper than calls may be', async () => {
    expect(await extractFrom('deep.html', `${'<b>'.repeat(20_000)}deep`)).toBe('deep')
  })

  it('reads a table of a Word document as Markdown', async () => {
    const cell = (text: string) => `<w:tc><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`
    const row = (...texts: string[]) => `<w:tr>${texts.map(cell).join('')}</w:tr>`
    const table = `</w:t></w:r></w:p><w:tbl>${row('Part', 'Weight')}${row('Seat', '12 g')}</w:tbl><w:p><w:r><w:t>`
    expect(await extractFrom('a.docx', createDocx(['# Parts', `Below:${table}Behind.`]))).toBe(
      '# Parts\n\nBelow:\n\n| Part | Weight |\n| --- | --- |\n| Seat | 12 g |\n\nBehind.',
    )
  })

  it('reads the pages of a PDF', async () => {
    expect(await extractFrom('a.pdf', createPdf(['First page', 'Second (page)']))).toBe('First page\n\nSecond (page)')
  })

  it('reads a Word document with its headings', async () => {
    expect(await extractFrom('a.docx', createDocx(['# Title', 'Some text &amp; 中文', 'More']))).toBe(
      '# Title\n\nSome text & 中文\n\nMore',
    )
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
    ['text in an unknown encoding', 'a.txt', Buffer.from([0x63, 0x61, 0x66, 0xe9]), 400],
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
