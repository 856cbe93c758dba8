import { createHash } from 'node:crypto'
import type { RandomSource } from '../platform/syntheticTexts.ts'
import { isUnspaced } from './baselineTokenizers.ts'
import type { RetrievalCollection } from './retrievalCollections.ts'

/** Characters of a recombined text: about as many as a paragraph of an encyclopedia has. */
const MIN_TEXT_CHARS = 200
const MAX_TEXT_CHARS = 900
/** Scripts without spaces say as much in a third of the characters. */
const UNSPACED_SHARE = 1 / 3
/** Longer pieces, as in scripts without a sentence end, are cut at a space. */
const MAX_PIECE_CHARS = 300
const SENTENCE_BORDER = /(?<=[.!?؟।])\s+|(?<=[。！？])/u

/** Creates texts of sentences drawn from one collection each, the larger the collection the more of them. */
export function createRecombinedTexts(collections: readonly RetrievalCollection[]): (random: RandomSource) => string {
  const sources = collections.map(({ docs }) => ({
    pieces: docs.flatMap(({ text }) => splitPieces(text)),
    documents: docs.length,
    isUnspaced: isUnspaced(docs.map(({ text }) => text).join(' ')),
  }))
  const documentCount = sources.reduce((sum, { documents }) => sum + documents, 0)
  return (random) => {
    let rest = random.next() * documentCount
    const source = sources.find(({ documents }) => (rest -= documents) < 0) ?? sources[0]
    if (!source) throw new Error('there is no collection')
    const { pieces } = source
    const length =
      (MIN_TEXT_CHARS + random.next() * (MAX_TEXT_CHARS - MIN_TEXT_CHARS)) * (source.isUnspaced ? UNSPACED_SHARE : 1)
    let text = ''
    while (text.length < length) text += `${pieces[Math.floor(random.next() * pieces.length)]} `
    return text.trimEnd()
  }
}

/** Changes with the documents of the collections and with how their texts are recombined. */
export function fingerprintCollections(collections: readonly RetrievalCollection[]): string {
  const hash = createHash('sha256').update(createRecombinedTexts.toString() + splitPieces.toString())
  for (const { name, docs } of collections) hash.update(JSON.stringify([name, docs]))
  return hash.digest('hex')
}

function splitPieces(text: string): string[] {
  return text
    .replace(/\s+/g, ' ')
    .split(SENTENCE_BORDER)
    .flatMap((piece) => (piece.length > MAX_PIECE_CHARS ? (piece.match(/.{1,300}(?:\s|$)|.{300}/gu) ?? []) : [piece]))
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
}
