import { hash, verify } from '@node-rs/argon2'
import { PASSWORD_LENGTH } from '#contract/access.ts'
import { ProblemError } from '#contract/problem.ts'

/** Algorithm 2 is argon2id (a const enum of the package, which erasable syntax cannot read). Raise these, and the next sign-in hashes anew. */
const COST = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
const CURRENT = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$`
/** Hashes at once: each takes 19 MiB. */
const AT_ONCE = 4

/** Hashes and compares passwords, a few at a time, so that sign-ins cannot eat the memory. */
export class Passwords {
  readonly #verify: typeof verify
  #running = 0
  readonly #waiting: (() => void)[] = []
  readonly #dummy: Promise<string>

  /** `compare` is argon2's own by default. */
  constructor(compare: typeof verify = verify) {
    this.#verify = compare
    this.#dummy = this.hash('no password is this one')
    // Who comes first hears of it, should there be no memory for it.
    this.#dummy.catch(() => undefined)
  }

  hash(password: string): Promise<string> {
    return this.#inTurn(() => hash(password, COST))
  }

  /** Takes as long for somebody who has no password, or is not there. */
  async matches(stored: string | null, password: string): Promise<boolean> {
    const against = stored ?? (await this.#dummy)
    const matches = await this.#inTurn(() => this.#verify(against, password)).catch(() => false)
    return matches && stored !== null
  }

  isOld(stored: string): boolean {
    return !stored.startsWith(CURRENT)
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#running++
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }
}

/** Characters are counted as people count them, and nothing is cut off. @throws ProblemError 400 at the field */
export async function demandGood(password: string, name: string): Promise<void> {
  const length = [...password].length
  const { least, most } = PASSWORD_LENGTH
  if (length < least) throw bad(`must have at least ${least} characters; it has ${length}`)
  if (length > most) throw bad(`must have at most ${most} characters; it has ${length}`)
  const plain = password.toLowerCase()
  if (new Set(plain).size < 4) throw bad('repeats too few characters')
  if (
    plain ===
    name
      .toLowerCase()
      .repeat(Math.ceil(plain.length / Math.max(1, name.length)))
      .slice(0, plain.length)
  )
    throw bad('is made of the name')
  if ((await commonOnes()).has(plain)) throw bad('is among the most common passwords')
}

let common: Promise<ReadonlySet<string>> | null = null
/** Those that are long enough to be taken at all; read when the first password is set. */
function commonOnes(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].filter(({ length }) => length >= PASSWORD_LENGTH.least)),
  )
  return common
}

const bad = (message: string) =>
  new ProblemError({
    kind: 'invalid',
    status: 400,
    message: `The password ${message}.`,
    fields: [{ path: 'body.password', message }],
  })
