import { RELEASES, type Release } from '#contract/platform/schemas.ts'

/** The newest recorded release that is not newer than an `X-Version` and has its first two numbers: `1.16.0-rc1` is 1.16. */
export const findRelease = (version: string | null): Release | null =>
  RELEASES.findLast(
    (release) =>
      /^\d+\.\d+/.exec(release)?.[0] === /^\d+\.\d+/.exec(version ?? '')?.[0] &&
      release.localeCompare(version ?? '', 'en', { numeric: true }) <= 0,
  ) ?? null
