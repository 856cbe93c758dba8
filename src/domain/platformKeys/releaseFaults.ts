/**
 * Operations that a known release has and cannot carry out, by the platform's message. Seen on the wire of released
 * platforms; `repaired` says which release is known to work.
 */
const RELEASE_FAULTS = [
  {
    message: /current_user must be an Account instance/i,
    repaired: 'Repaired after release 1.9.2: 1.16.0-rc1 carries it out.',
  },
  {
    // The router’s own words for a collection that exists under another address or not at all.
    message: /You have requested this URI/i,
    repaired: 'Missing in the development head of 1.9.2: 1.16.0-rc1 carries it out.',
  },
] as const

/** True for an error of the release itself, which no request can avoid. `namesResource`: the request named a thing by its id. */
export const isReleaseFault = (message: string, namesResource: boolean): boolean =>
  RELEASE_FAULTS.some((fault, index) => fault.message.test(message) && (index === 0 || !namesResource))

/** Which release repairs an operation that fails with this message; null where that is not known. */
export const findReleaseRepair = (message: string): string | null =>
  RELEASE_FAULTS.find((fault) => fault.message.test(message))?.repaired ?? null
