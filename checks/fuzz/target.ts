import fc from 'fast-check'

/** Something that is tried on any input. */
export interface FuzzTarget {
  /**
   * Tries a round of inputs, and says of each that it begins.
   * @returns what was found, with the seed and path that find it again; null for nothing
   */
  check: (
    round: { seed: number; numRuns: number; interruptAfterTimeLimit: number },
    begun: () => void,
  ) => Promise<string | null>
  close: () => void | Promise<void>
}

/** `holds` throws where what must hold of an input does not. */
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

/** @throws Error that says what does not hold. */
export function requireThat(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message)
}
