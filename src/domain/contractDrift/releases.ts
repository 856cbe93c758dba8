import { RELEASES, type Release } from '#contract/platform/schemas.ts'

/** The recorded release of an `X-Version` (`1.16.0-rc1` is 1.16); null for a version of which there is no recording. */
export const findRelease = (version: string | null): Release | null =>
  RELEASES.find((release) => version === release || version?.startsWith(`${release}.`)) ?? null
