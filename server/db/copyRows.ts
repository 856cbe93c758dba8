import { type Connection, type Pool, Query } from 'pg'

interface CopyConnection extends Connection {
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}

/**
 * Rows into a table by COPY, the cheapest way in: half of what an INSERT of arrays costs the database. `rows` are in its text
 * format (`cell`). All of them are in the table, or none.
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

/** A text as it stands in a row: tab, line feed and backslash are escaped. */
export const toCopyCell = (text: string): string =>
  HAS_SPECIAL_CHARACTER.test(text) ? text.replace(SPECIAL_CHARACTERS, escapeCharacter) : text

/** A cell without a value. */
export const COPY_NULL = '\\N'

const HAS_SPECIAL_CHARACTER = /[\\\n\r\t]/
const SPECIAL_CHARACTERS = /[\\\n\r\t]/g
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
const escapeCharacter = (character: string): string => ESCAPES[character] as string

/**
 * The rows go out right behind the statement, without waiting for the word that they may: the embedded database cannot wait
 * for them, and a server that refuses the statement skips what belongs to it (Message Flow, COPY Operations).
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
    // The rows are under way already.
  }
}
