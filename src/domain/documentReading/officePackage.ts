import { unzipSync } from 'fflate'
import { SaxesParser } from 'saxes'
import { findNodes, getAttribute, type MarkupNode } from './markupNode.ts'
import { UnreadableFileError } from './unreadableFile.ts'

const MAX_FILES = 5_000
const BYTES_PER_MB = 1024 * 1024
const MAX_UNPACKED_BYTES = 100 * BYTES_PER_MB

/** A part of an Office document. */
export interface OfficePart {
  root: MarkupNode
  /** The parts that it names, by the end of their type (`styles`, `header`) and by their id. */
  findParts: (type: string) => OfficePart[]
  findPart: (id: string | undefined) => OfficePart | undefined
}

/** Of a package without relationships. */
const USUAL_MAIN_PART = 'word/document.xml'

/** The main part of an Office document. @throws UnreadableFileError */
export function openOfficePackage(bytes: Uint8Array): OfficePart {
  const files = unpackOfficeFiles(bytes)
  const open = (path: string): OfficePart | undefined => {
    const data = files.get(path.toLowerCase())
    const links = listRelationships(files, path).filter(({ target }) => files.has(target.toLowerCase()))
    return (
      data && {
        root: parseXml(data),
        findParts: (type) => links.filter((one) => one.type === type).flatMap(({ target }) => open(target) ?? []),
        findPart: (id) => open(links.find((one) => one.id === id)?.target ?? ''),
      }
    )
  }
  const main = listRelationships(files, '').find(({ type }) => type === 'officeDocument')
  const part = open(main?.target ?? USUAL_MAIN_PART)
  if (!part) throw new UnreadableFileError('unsupported', 'The file is an archive, but no Office document.')
  return part
}

/** The XML files, by their paths in lower case. Nothing is unpacked beyond the sizes that the archive declares. */
export function unpackOfficeFiles(bytes: Uint8Array, maxUnpackedBytes = MAX_UNPACKED_BYTES): Map<string, Uint8Array> {
  let count = 0
  let unpackedBytes = 0
  const filter = ({ name, originalSize }: { name: string; originalSize: number }): boolean => {
    unpackedBytes += originalSize
    if (++count > MAX_FILES || unpackedBytes > maxUnpackedBytes)
      throw new UnreadableFileError(
        'tooLarge',
        `The file is too large when it is unpacked (more than ${maxUnpackedBytes / BYTES_PER_MB} MB, or ${MAX_FILES} entries).`,
      )
    return /\.(xml|rels)$/i.test(name)
  }
  const files = Object.entries(unzipSync(bytes, { filter }))
  return new Map(files.map(([path, data]) => [path.replaceAll('\\', '/').replace(/^\//, '').toLowerCase(), data]))
}

export function listRelationships(files: Map<string, Uint8Array>, part: string) {
  const folder = part.slice(0, part.lastIndexOf('/') + 1)
  const data = files.get(`${folder}_rels/${part.slice(folder.length)}.rels`.toLowerCase())
  return findNodes(data && parseXml(data), 'Relationship').map((node) => {
    const target = (getAttribute(node, 'Target') ?? '').replaceAll('\\', '/')
    return {
      id: getAttribute(node, 'Id'),
      type: getAttribute(node, 'Type')?.split('/').at(-1),
      target: decodeURI(new URL(target, `file:///${folder}`).pathname.slice(1)),
    }
  })
}

/** Prefixes of the namespaces that readers look for, whatever prefix a file has for them; others have none. */
const PREFIXES: [namespace: RegExp, prefix: string][] = [
  [/wordprocessingml\/(?:2006\/)?main$/, 'w:'],
  [/officeDocument\/(?:2006\/)?math$/, 'm:'],
]

/** Attributes have no prefix. A document type is refused: no Office document has one, and its entities are a trap. */
function parseXml(data: Uint8Array): MarkupNode {
  const root = { nodeName: '#document', childNodes: [] as MarkupNode[] }
  const open = [root]
  const prefixes = new Map<string, string>()
  const findPrefix = (uri: string): string => {
    const known = prefixes.get(uri) ?? PREFIXES.find(([namespace]) => namespace.test(uri))?.[1] ?? ''
    prefixes.set(uri, known)
    return known
  }
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('doctype', () => {
    throw new Error('The file declares a document type.')
  })
  parser.on('opentag', ({ uri, local, attributes }) => {
    const attrs = Object.values(attributes).map((attribute) => ({ name: attribute.local, value: attribute.value }))
    const node = { nodeName: findPrefix(uri) + local, attrs, childNodes: [] }
    open.at(-1)?.childNodes.push(node)
    open.push(node)
  })
  parser.on('text', (value) => open.at(-1)?.childNodes.push({ nodeName: '#text', value }))
  parser.on('closetag', () => open.pop())
  writeXml(parser, data)
  return root
}

const XML_CHUNK_BYTES = 256 * 1024

/** Hands a file over to a parser in pieces, until its end or until `isDone`. */
export function writeXml(
  parser: Pick<SaxesParser, 'write' | 'close'>,
  data: Uint8Array,
  isDone: () => boolean = () => false,
): void {
  const decoder = new TextDecoder()
  for (let at = 0; at < data.length && !isDone(); at += XML_CHUNK_BYTES)
    parser.write(decoder.decode(data.subarray(at, at + XML_CHUNK_BYTES), { stream: true }))
  if (!isDone()) parser.close()
}
