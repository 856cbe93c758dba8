/**
 * Operations that a known release offers but cannot carry out, by the platform's error message. Observed on released
 * platforms; `repaired` names the first release known to work.
 */
const RELEASE_FAULTS = [
  {
    message: /current_user must be an Account instance/i,
    repaired: 'Repaired after release 1.9.2: 1.16.0-rc1 carries it out.',
  },
  {
    // The router's message for a collection that exists under another address or not at all.
    message: /You have requested this URI/i,
    repaired: 'Missing in the development head of 1.9.2: 1.16.0-rc1 carries it out.',
  },
] as const

/**
 * True for an error of the release itself, which no request can avoid. `namesResource`: the request contained the id
 * of a resource.
 */
export const isReleaseFault = (message: string, namesResource: boolean): boolean =>
  RELEASE_FAULTS.some((fault, index) => fault.message.test(message) && (index === 0 || !namesResource))

/** The release that repairs an operation failing with this message; null if unknown. */
export const findReleaseRepair = (message: string): string | null =>
  RELEASE_FAULTS.find((fault) => fault.message.test(message))?.repaired ?? null
