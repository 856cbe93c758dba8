import { crc32, deflateRawSync, deflateSync } from 'node:zlib'

/** A small PDF with one line of text on each page. */
export function createPdf(pages: string[], trailer = ''): Buffer {
  const contents = pages.map((text) => stream(`BT /F1 12 Tf 50 700 Td (${text.replace(/[()\\]/g, '\\$&')}) Tj ET`))
  return assemble(contents, trailer)
}

/** Pages of these content streams, in the font `F1`; each page has the annotations. */
export const createPdfOf = (contents: string[], annotations: string[] = [], font = HELVETICA): Buffer =>
  assemble(contents.map(stream), '', annotations, font)

const HELVETICA = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'

/** Locked with a password that nobody knows. */
export const createLockedPdf = (): Buffer => {
  const noise = '<' + 'a7'.repeat(32) + '>'
  const encrypt = `<< /Filter /Standard /V 1 /R 2 /P -4 /O ${noise} /U ${noise} >>`
  return createPdf(
    ['secret'],
    `/Encrypt ${encrypt} /ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>]`,
  )
}

/** A page whose content is `size` bytes of blanks, packed twice. */
export function createPdfBomb(size: number): Buffer {
  const packed = deflateSync(deflateSync(Buffer.alloc(size, ' ')))
  const head = `<< /Length ${packed.length} /Filter [/FlateDecode /FlateDecode] >>\nstream\n`
  return assemble([Buffer.concat([Buffer.from(head), packed, Buffer.from('\nendstream')])], '')
}

const stream = (content: string): Buffer =>
  Buffer.from(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`, 'latin1')

function assemble(contents: Buffer[], trailer: string, annotations: string[] = [], font = HELVETICA): Buffer {
  const kids = contents.map((_, index) => `${4 + index * 2} 0 R`).join(' ')
  const objects = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from(`<< /Type /Pages /Kids [${kids}] /Count ${contents.length} >>`),
    Buffer.from(font),
    ...contents.flatMap((content, index) => [
      Buffer.from(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + index * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> /Annots [${annotations.join(' ')}] >>`,
      ),
      content,
    ]),
  ]
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')]
  const offsets: number[] = []
  const length = () => parts.reduce((sum, part) => sum + part.length, 0)
  objects.forEach((object, index) => {
    offsets.push(length())
    parts.push(Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n'))
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${length()}\n%%EOF`
  return Buffer.concat([...parts, Buffer.from(end)])
}

export interface ZipEntry {
  name: string
  data: Buffer
  flags?: number
}

export function createZip(files: ZipEntry[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, data, flags = 0 } of files) {
    const packed = deflateRawSync(data)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(flags, 2)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc32(data), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(data.length, 18)
    common.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed])
    const entry = Buffer.alloc(14)
    entry.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, entry, Buffer.from(name))
    parts.push(local)
    offset += local.length
  }
  const table = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.length, 4)
  end.writeUInt16LE(files.length, 6)
  end.writeUInt32LE(table.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, table, Buffer.from('PK\x05\x06'), end])
}

export const WORD_NAMESPACE = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'

/** A Word document of paragraphs; one that begins with `# ` is a heading, and one that begins with `<` is the XML itself. */
export function createDocx(paragraphs: string[], more: ZipEntry[] = [], main = 'word/document.xml'): Buffer {
  const body = paragraphs
    .map((text) => {
      if (text.startsWith('<')) return text
      const style = text.startsWith('# ') ? '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>' : ''
      return `<w:p>${style}<w:r><w:t xml:space="preserve">${text.replace(/^# /, '')}</w:t></w:r></w:p>`
    })
    .join('')
  const links = ['styles', 'numbering', 'footnotes', 'header'].map(
    (kind) =>
      `<Relationship Id="${kind}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${kind}" Target="${kind}.xml"/>`,
  )
  return createZip([
    {
      name: '_rels/.rels',
      data: Buffer.from(
        `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="${main}"/></Relationships>`,
      ),
    },
    {
      name: main.replace(/[^/\\]+$/, '_rels/$&.rels'),
      data: Buffer.from(`<Relationships>${links.join('')}</Relationships>`),
    },
    {
      name: 'word/styles.xml',
      data: Buffer.from(
        `<w:styles xmlns:w="${WORD_NAMESPACE}"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style><w:style w:type="paragraph" w:styleId="Clause"><w:pPr><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr></w:style></w:styles>`,
      ),
    },
    {
      name: main,
      data: Buffer.from(
        `<w:document xmlns:w="${WORD_NAMESPACE}" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:r="r" xmlns:a="a"><w:body>${body}</w:body></w:document>`,
      ),
    },
    ...more,
  ])
}
