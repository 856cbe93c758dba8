import { hash, verify } from '@node-rs/argon2'
import { PASSWORD_LENGTH_CHARS } from '#contract/console/access.ts'
import { ProblemError } from '#contract/problem.ts'

/**
 * Algorithm 2 is argon2id (a const enum of the package, which erasable syntax cannot read). After these are raised, the next
 * sign-in rehashes the password.
 */
const ARGON2_OPTIONS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
const CURRENT_HASH_PREFIX = `$argon2id$v=19$m=${ARGON2_OPTIONS.memoryCost},t=${ARGON2_OPTIONS.timeCost},p=${ARGON2_OPTIONS.parallelism}$`
/** Concurrent hashes: each takes 19 MiB. */
const MAX_CONCURRENT_HASHES = 4

/** Hashes and compares passwords with limited concurrency, so that sign-ins cannot exhaust the memory. */
export class PasswordHasher {
  readonly #argon2Verify: typeof verify
  #runningCount = 0
  readonly #waiters: (() => void)[] = []
  readonly #dummy: Promise<string>

  /** `compare` is argon2's own by default. */
  constructor(argon2Verify: typeof verify = verify) {
    this.#argon2Verify = argon2Verify
    this.#dummy = this.hash('no password is this one')
    // Prevents an unhandled rejection when memory runs out; the first awaiting caller receives the error.
    this.#dummy.catch(() => undefined)
  }

  hash(password: string): Promise<string> {
    return this.#withSlot(() => hash(password, ARGON2_OPTIONS))
  }

  /** Takes the same time when the person has no password or does not exist. */
  async verify(stored: string | null, password: string): Promise<boolean> {
    const against = stored ?? (await this.#dummy)
    const matches = await this.#withSlot(() => this.#argon2Verify(against, password)).catch(() => false)
    return matches && stored !== null
  }

  needsRehash(stored: string): boolean {
    return !stored.startsWith(CURRENT_HASH_PREFIX)
  }

  async #withSlot<T>(work: () => Promise<T>): Promise<T> {
    if (this.#runningCount >= MAX_CONCURRENT_HASHES) await new Promise<void>((resolve) => this.#waiters.push(resolve))
    else this.#runningCount++
    try {
      return await work()
    } finally {
      const next = this.#waiters.shift()
      if (next) next()
      else this.#runningCount--
    }
  }
}

/** Counts characters as people do (code points), and truncates nothing. @throws ProblemError 400 at the field */
export async function requireStrongPassword(password: string, name: string): Promise<void> {
  const length = [...password].length
  const { min, max } = PASSWORD_LENGTH_CHARS
  if (length < min) throw toPasswordError(`must have at least ${min} characters; it has ${length}`)
  if (length > max) throw toPasswordError(`must have at most ${max} characters; it has ${length}`)
  const lowerCased = password.toLowerCase()
  if (new Set(lowerCased).size < 4) throw toPasswordError('repeats too few characters')
  if (
    lowerCased ===
    name
      .toLowerCase()
      .repeat(Math.ceil(lowerCased.length / Math.max(1, name.length)))
      .slice(0, lowerCased.length)
  )
    throw toPasswordError('is made of the name')
  if ((await loadCommonPasswords()).has(lowerCased)) throw toPasswordError('is among the most common passwords')
}

let commonPasswords: Promise<ReadonlySet<string>> | null = null
/** The common passwords that reach the minimum length; loaded when the first password is set. */
function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  commonPasswords ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) =>
      new Set(dictionary['passwords-common'].filter(({ length }) => length >= PASSWORD_LENGTH_CHARS.min)),
  )
  return commonPasswords
}

const toPasswordError = (message: string) =>
  new ProblemError({
    kind: 'invalid',
    status: 400,
    message: `The password ${message}.`,
    fields: [{ path: 'body.password', message }],
  })
