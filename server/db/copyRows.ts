import { type Connection, type Pool, Query } from 'pg'

interface CopyConnection extends Connection {
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}

/**
 * Inserts rows with COPY, at half the cost of an INSERT of arrays. `rows` are in COPY's text format (`toCopyCell`).
 * Either all rows are inserted, or none.
 * @throws DatabaseError
 */
export async function copyRows(pool: Pool, target: string, rows: string): Promise<void> {
  const client = await pool.connect()
  let failure: Error | undefined
  try {
    await new Promise<void>((resolve, reject) => {
      client.query(new CopyQuery(`COPY ${target} FROM STDIN`, rows, (error) => (error ? reject(error) : resolve())))
    })
  } catch (error) {
    failure = error as Error
    throw error
  } finally {
    client.release(failure)
  }
}

/** A text in COPY's text format: tab, line feed and backslash are escaped. */
export const toCopyCell = (text: string): string =>
  HAS_SPECIAL_CHARACTER.test(text) ? text.replace(SPECIAL_CHARACTERS, escapeCharacter) : text

export const COPY_NULL = '\\N'

const HAS_SPECIAL_CHARACTER = /[\\\n\r\t]/
const SPECIAL_CHARACTERS = /[\\\n\r\t]/g
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
const escapeCharacter = (character: string): string => ESCAPES[character] as string

/**
 * The rows are sent right after the statement, without waiting for CopyInResponse: the embedded database cannot wait
 * for them, and a server that rejects the statement skips them (Message Flow, COPY Operations).
 */
class CopyQuery extends Query {
  readonly #rows: string

  constructor(text: string, rows: string, onDone: (error: Error | undefined) => void) {
    super(text, onDone)
    this.#rows = rows
    this.submit = (connection: Connection) => {
      const copyConnection = connection as CopyConnection
      copyConnection.stream.cork()
      copyConnection.query(text)
      copyConnection.sendCopyFromChunk(Buffer.from(this.#rows))
      copyConnection.endCopyFrom()
      copyConnection.stream.uncork()
      return null
    }
  }

  handleCopyInResponse(): void {
    // The rows are already being sent.
  }
}
