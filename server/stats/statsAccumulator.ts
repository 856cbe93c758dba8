import { isSuccessStatus, isUnclearStatus } from '#contract/console/runs.ts'
import type { RunAggregate } from '#contract/console/stats.ts'
import type { DurationCounts, DailyRunAggregate } from './runAggregate.ts'

export class StatsAccumulator {
  #runs = 0
  #failed = 0
  #unresolved = 0
  #tokens: number | null = null
  #without_usage = 0
  readonly #durations = new DurationHistogram()
  readonly #first_tokens = new DurationHistogram()

  add({ status, runs, tokens, without_usage, durations, first_tokens }: DailyRunAggregate): void {
    this.#runs += runs
    if (status === 'failed') this.#failed += runs
    if (isUnclearStatus(status)) this.#unresolved += runs
    if (tokens !== null) this.#tokens = (this.#tokens ?? 0) + tokens
    if (isSuccessStatus(status)) this.#without_usage += without_usage
    this.#durations.add(durations)
    this.#first_tokens.add(first_tokens)
  }

  toStats(): RunAggregate {
    const [p50, p95] = this.#durations.percentiles()
    const [first_token_p50, first_token_p95] = this.#first_tokens.percentiles()
    return {
      runs: this.#runs,
      failed: this.#failed,
      unclear: this.#unresolved,
      tokens: this.#tokens,
      without_usage: this.#without_usage,
      p50,
      p95,
      first_token_p50,
      first_token_p95,
    }
  }
}

class DurationHistogram {
  readonly #counts = new Map<number, number>()
  #total = 0

  add(times: DurationCounts): void {
    for (let index = 0; index < times.length; index += 2) {
      const [time = 0, count = 0] = [times[index], times[index + 1]]
      this.#counts.set(time, (this.#counts.get(time) ?? 0) + count)
      this.#total += count
    }
  }

  /** The median and the 95th percentile; null without measurements. */
  percentiles(): [p50: number | null, p95: number | null] {
    const sorted = [...this.#counts].sort(([one], [other]) => one - other)
    return [this.#findPercentile(sorted, 0.5), this.#findPercentile(sorted, 0.95)]
  }

  #findPercentile(sorted: [time: number, count: number][], part: number): number | null {
    let left = Math.ceil(this.#total * part)
    for (const [time, count] of sorted) {
      left -= count
      if (left <= 0) return time
    }
    return null
  }
}
