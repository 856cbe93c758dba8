const PIECE_CHARACTERS = 4_000

/** A part of a text with its offset. */
export interface TextPiece {
  from: number
  text: string
}

/**
 * Splits a text into pieces that a page can lay out one by one, after a newline if possible. A longer line is split
 * after a space, or anywhere, unless lines must stay whole.
 */
export function toPieces(text: string, { keepLines = false } = {}): TextPiece[] {
  const pieces: TextPiece[] = []
  for (let from = 0; from < text.length;) {
    const to = endOfPiece(text, from, keepLines)
    pieces.push({ from, text: text.slice(from, to) })
    from = to
  }
  return pieces
}

function endOfPiece(text: string, from: number, keepLines: boolean): number {
  const limit = from + PIECE_CHARACTERS
  if (limit >= text.length) return text.length
  const piece = text.slice(from, limit)
  const lineBreak = piece.lastIndexOf('\n')
  if (lineBreak >= 0) return from + lineBreak + 1
  if (keepLines) {
    const end = text.indexOf('\n', limit)
    return end < 0 ? text.length : end + 1
  }
  const blank = piece.lastIndexOf(' ')
  if (blank >= 0) return from + blank + 1
  const isLowSurrogate = (text.charCodeAt(limit) & 0xfc00) === 0xdc00
  return isLowSurrogate ? limit - 1 : limit
}
