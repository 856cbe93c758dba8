const wordSegmenter = new Intl.Segmenter(undefined, { granularity: 'word' })
const characterSegmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const MAX_PIECE_CHARS = 16

/**
 * Splits a text into small pieces for streaming: a word with the following blanks and punctuation, or a few characters
 * in scripts without blanks. Concatenated they are the text; no piece starts inside a character.
 */
export function splitPieces(text: string): string[] {
  const pieceList: string[] = []
  for (const { segment, isWordLike } of wordSegmenter.segment(text)) {
    const lastPiece = pieceList.at(-1)
    const fits = lastPiece !== undefined && lastPiece.length + segment.length <= MAX_PIECE_CHARS
    if (!isWordLike && fits) pieceList[pieceList.length - 1] = lastPiece + segment
    else pieceList.push(...splitLongPiece(segment))
  }
  return pieceList
}

function splitLongPiece(segment: string): string[] {
  if (segment.length <= MAX_PIECE_CHARS) return [segment]
  const pieceList: string[] = []
  for (const { segment: character } of characterSegmenter.segment(segment)) {
    const last = pieceList.at(-1)
    if (last !== undefined && last.length + character.length <= MAX_PIECE_CHARS)
      pieceList[pieceList.length - 1] = last + character
    else pieceList.push(character)
  }
  return pieceList
}
