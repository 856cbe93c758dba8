import fc from 'fast-check'

/** A property that is tested on random inputs. */
export interface FuzzTarget {
  /**
   * Runs a round of inputs, and reports the start of each.
   * @returns the finding, with its seed and path; null if there is none
   */
  check: (
    round: { seed: number; numRuns: number; interruptAfterTimeLimit: number },
    begun: () => void,
  ) => Promise<string | null>
  close: () => void | Promise<void>
}

/** One of the samples, which stand in texts with `¦` between them. */
export const fromSamples = (...texts: string[]): fc.Arbitrary<string> =>
  fc.constantFrom(...texts.flatMap((text) => text.split('¦')))

/** `checkInput` throws if the property fails for an input. */
export const createTarget = <Value>(
  arbitrary: fc.Arbitrary<Value>,
  checkInput: (value: Value) => void | Promise<void>,
  close: FuzzTarget['close'] = () => undefined,
): FuzzTarget => ({
  async check(round, begun) {
    const property = fc.asyncProperty(arbitrary, async (value) => {
      begun()
      await checkInput(value)
    })
    const said = await fc.check(property, round)
    if (!said.failed || said.counterexample === null) return null
    return `${said.errorInstance instanceof Error ? said.errorInstance.message : 'It fails.'}\n${fc.defaultReportMessage(said)}`
  },
  close,
})

/** @throws Error that describes the failed property. */
export function requireThat(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message)
}
