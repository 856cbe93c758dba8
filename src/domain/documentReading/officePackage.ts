import { unzipSync } from 'fflate'
import { SaxesParser } from 'saxes'
import { getAttribute, type MarkupNode } from './markupNode.ts'
import { UnreadableFileError } from './unreadableFile.ts'

const MAX_FILES = 5_000
const BYTES_PER_MB = 1024 * 1024
const MAX_UNPACKED_BYTES = 100 * BYTES_PER_MB

export interface OfficePart {
  root: MarkupNode | undefined
  /** The elements with these names, one after another: a large part needs too much memory as a tree. */
  readElements: (...names: string[]) => Iterable<MarkupNode>
  /** A part that it references, by id or by the end of its type (`styles`, `header`). */
  findPart: (key: 'id' | 'type', value: string | undefined) => OfficePart | undefined
}

/** The main part of an Office document, at the usual path in a package without relationships. @throws UnreadableFileError */
export function openOfficePackage(
  bytes: Uint8Array,
  usualPath: string,
  maxUnpackedBytes = MAX_UNPACKED_BYTES,
): OfficePart | undefined {
  const files = unpackOfficeFiles(bytes, maxUnpackedBytes)
  const open = (path: string): OfficePart | undefined => {
    const data = files.get(path.toLowerCase())
    const links = listRelationships(files, path)
    return (
      data && {
        get root() {
          return [...readElements(data, [])][0]
        },
        readElements: (...names) => readElements(data, names),
        findPart: (key, value) => open(links.find((link) => link[key] === value)?.target ?? ''),
      }
    )
  }
  return open(listRelationships(files, '').find(({ type }) => type === 'officeDocument')?.target ?? usualPath)
}

const toDamage = (reason: string) => new UnreadableFileError('faulty', `The file is damaged: ${reason}`)

/** The XML files, by their paths in lower case. Nothing is unpacked beyond the sizes that the archive declares. */
function unpackOfficeFiles(bytes: Uint8Array, maxUnpackedBytes: number): Map<string, Uint8Array> {
  let count = 0
  let unpackedBytes = 0
  const filter = ({ name, originalSize }: { name: string; originalSize: number }): boolean => {
    unpackedBytes += originalSize
    if (++count > MAX_FILES || unpackedBytes > maxUnpackedBytes)
      throw new UnreadableFileError(
        'tooLarge',
        `The unpacked file is too large (more than ${maxUnpackedBytes / BYTES_PER_MB} MB, or ${MAX_FILES} entries).`,
      )
    return /\.(xml|rels)$/i.test(name)
  }
  try {
    const files = Object.entries(unzipSync(bytes, { filter }))
    return new Map(files.map(([path, data]) => [path.replaceAll('\\', '/').replace(/^\//, '').toLowerCase(), data]))
  } catch (error) {
    throw error instanceof UnreadableFileError ? error : toDamage(String(error))
  }
}

function listRelationships(files: Map<string, Uint8Array>, part: string) {
  const folder = part.slice(0, part.lastIndexOf('/') + 1)
  const data = files.get(`${folder}_rels/${part.slice(folder.length)}.rels`.toLowerCase())
  return [...readElements(data, ['Relationship'])].map((node) => {
    const target = (getAttribute(node, 'Target') ?? '').replaceAll('\\', '/')
    return {
      id: getAttribute(node, 'Id'),
      type: getAttribute(node, 'Type')?.split('/').at(-1),
      target: decodeURI(new URL(target, `file:///${folder}`).pathname.slice(1)),
    }
  })
}

/** The prefixes that readers use for the elements of Word and of formulas, whatever the prefixes in the file. */
const getPrefix = (namespace: string): string =>
  /wordprocessingml.*\/main$/.test(namespace) ? 'w:' : namespace.endsWith('/math') ? 'm:' : ''

const XML_CHUNK_BYTES = 16 * 1024

/**
 * The elements with these names, or the root; attributes have no prefix. A document type is refused: no Office
 * document has one, and its entities are dangerous.
 */
function* readElements(data: Uint8Array | undefined, names: readonly string[]): Generator<MarkupNode> {
  if (!data) return
  const open: MarkupNode[] = []
  const found: MarkupNode[] = []
  const parser = new SaxesParser({ xmlns: true })
  const fail = (reason: string) => {
    throw toDamage(reason)
  }
  parser.on('error', ({ message }) => fail(message))
  parser.on('doctype', () => fail('it declares a document type.'))
  parser.on('opentag', ({ uri, local, attributes }) => {
    const attrs = Object.values(attributes).map((attribute) => ({ name: attribute.local, value: attribute.value }))
    open.push({ nodeName: getPrefix(uri) + local, attrs, childNodes: [] })
  })
  parser.on('text', (value) => open.at(-1)?.childNodes?.push({ nodeName: '#text', value }))
  parser.on('closetag', () => {
    const node = open.pop()
    if (!node) return
    const isFound = names.length === 0 ? open.length === 0 : names.includes(node.nodeName)
    ;(isFound ? found : open.at(-1)?.childNodes)?.push(node)
  })
  const decoder = new TextDecoder()
  for (let at = 0; at < data.length; at += XML_CHUNK_BYTES) {
    parser.write(decoder.decode(data.subarray(at, at + XML_CHUNK_BYTES), { stream: true }))
    yield* found.splice(0)
  }
  parser.close()
}
