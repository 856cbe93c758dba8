import type { Sum } from '#contract/figures.ts'

export interface Measured {
  status: string
  runs: number
  tokens: string | null
  without_usage: number
  /** Milliseconds of each run, divided by blanks. */
  durations: string | null
  first_tokens: string | null
}

/** What runs amount to, gathered group by group. */
export class Sums {
  #runs = 0
  #failed = 0
  #unclear = 0
  #tokens: number | null = null
  #without_usage = 0
  readonly #durations: string[] = []
  readonly #first_tokens: string[] = []

  add({ status, runs, tokens, without_usage, durations, first_tokens }: Measured): void {
    this.#runs += runs
    if (status === 'failed') this.#failed += runs
    if (status === 'interrupted' || status === 'unknown') this.#unclear += runs
    if (tokens !== null) this.#tokens = (this.#tokens ?? 0) + Number(tokens)
    if (status === 'succeeded') this.#without_usage += without_usage
    if (durations) this.#durations.push(durations)
    if (first_tokens) this.#first_tokens.push(first_tokens)
  }

  sum(): Sum {
    const [durations, first_tokens] = [sorted(this.#durations), sorted(this.#first_tokens)]
    return {
      runs: this.#runs,
      failed: this.#failed,
      unclear: this.#unclear,
      tokens: this.#tokens,
      without_usage: this.#without_usage,
      p50: at(durations, 0.5),
      p95: at(durations, 0.95),
      first_token_p50: at(first_tokens, 0.5),
      first_token_p95: at(first_tokens, 0.95),
    }
  }
}

const sorted = (parts: string[]): Float64Array =>
  Float64Array.from(
    parts.flatMap((part) => part.split(' ')),
    Number,
  ).sort()

/** The smallest one that so many are not above; null of none. */
const at = (values: Float64Array, part: number): number | null => values[Math.ceil(values.length * part) - 1] ?? null
