/** Deeper containers are counted, but their values are neither reported nor part of a closed text. */
const MAX_DEPTH = 64
/** Shorter strings may be ids, names or statuses, and a part of one would be a different value. */
const MIN_CUT_TEXT_CHARS = 256
const MAX_NAME_CHARS = 256

interface Container {
  isObject: boolean
  /** The name of the current member, or its index. */
  name: string
}

/** Follows JSON that arrives in pieces without storing it. It does not validate: invalid JSON gives no useful result. */
export class JsonScanner {
  readonly #open: Container[] = []
  /** Open containers below `MAX_DEPTH`. */
  #deeper = 0
  #isInText = false
  #isName = false
  #expectsName = false
  #escape: 'none' | 'begun' | number = 'none'
  /** Before the colon of a field: each line of an event begins with `data:`. */
  #isInField = false
  #name = ''
  /**
   * Offsets in the scanned text: after the last complete value or opening bracket, and at the start of the open text
   * and escape.
   */
  #offset = 0
  #valueEnd = 0
  #textStart = 0
  #escapeStart = 0

  scan(json: string): void {
    this.#scan(json, () => undefined)
  }

  /**
   * Continues with the lines of an event. `onText` receives each piece of a text value, still escaped, and its path:
   * `/data/text`
   */
  scanLines(lines: string, onText: (text: string, path: string) => void): void {
    this.#scan(lines, onText, true)
  }

  #scan(piece: string, onText: (text: string, path: string) => void, hasFields = false): void {
    for (let at = 0; at < piece.length; at++) {
      if (this.#isInText) {
        const end = this.#findTextEnd(piece, at)
        const text = piece.slice(at, end)
        if (this.#isName) this.#name = (this.#name + text).slice(0, MAX_NAME_CHARS)
        else if (text !== '' && this.#deeper === 0) onText(text, this.#path())
        at = end
        if (at < piece.length) this.#endText(this.#offset + at + 1)
        continue
      }
      const char = piece.charAt(at)
      if (this.#isInField) this.#isInField = char !== ':'
      else if (hasFields && (char === '\n' || char === '\r')) this.#isInField = true
      else this.#scanStructure(char, this.#offset + at)
    }
    this.#offset += piece.length
  }

  /** Completes truncated JSON: an incomplete value is omitted, a long text is closed where it was cut. */
  close(json: string): string {
    const isLongText = this.#isInText && !this.#isName && this.#deeper === 0
    const text = this.#escape === 'none' ? json : json.slice(0, this.#escapeStart)
    const end =
      isLongText && text.length - this.#textStart >= MIN_CUT_TEXT_CHARS ? `${text}"` : json.slice(0, this.#valueEnd)
    return end + this.#open.map(({ isObject }) => (isObject ? '}' : ']')).reverse().join('') // prettier-ignore
  }

  #findTextEnd(piece: string, from: number): number {
    let at = from
    for (; at < piece.length; at++) {
      const char = piece.charCodeAt(at)
      if (this.#escape !== 'none') {
        const left = this.#escape === 'begun' ? (char === LETTER_U_CODE ? 4 : 0) : this.#escape - 1
        this.#escape = left === 0 ? 'none' : left
      } else if (char === BACKSLASH_CODE) {
        this.#escape = 'begun'
        this.#escapeStart = this.#offset + at
      } else if (char === QUOTATION_MARK_CODE) break
    }
    return at
  }

  #endText(end: number): void {
    this.#isInText = false
    if (!this.#isName && this.#deeper === 0) this.#valueEnd = end
  }

  #scanStructure(char: string, offset: number): void {
    const current = this.#deeper === 0 ? this.#open.at(-1) : undefined
    switch (char) {
      case '"':
        this.#isInText = true
        this.#isName = this.#expectsName
        this.#name = ''
        this.#textStart = offset + 1
        return
      case '{':
      case '[':
        return this.#push(char === '{', offset + 1)
      case '}':
      case ']':
        return this.#pop(offset + 1)
      case ',':
        if (!current) return
        this.#valueEnd = offset
        this.#expectsName = current.isObject
        if (!current.isObject) current.name = String(Number(current.name) + 1)
        return
      case ':':
        this.#expectsName = false
        if (current?.isObject) current.name = this.#name
    }
  }

  #push(isObject: boolean, end: number): void {
    if (this.#open.length === MAX_DEPTH) {
      this.#deeper++
      this.#expectsName = false
      return
    }
    this.#open.push({ isObject, name: '0' })
    this.#expectsName = isObject
    this.#valueEnd = end
  }

  #pop(end: number): void {
    this.#expectsName = false
    if (this.#deeper > 0) this.#deeper--
    else this.#open.pop()
    if (this.#deeper === 0) this.#valueEnd = end
  }

  #path = (): string => this.#open.map(({ name }) => `/${name}`).join('')
}

const QUOTATION_MARK_CODE = 34
const BACKSLASH_CODE = 92
const LETTER_U_CODE = 117
