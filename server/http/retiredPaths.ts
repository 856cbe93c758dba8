/** Paths of `/api` until 2026-11: answered with 308 for one release, so that scripts can follow. */
const RETIRED_PATHS: readonly [retired: RegExp, current: string][] = [
  [/^\/api\/things(?=[/?]|$)/, '/api/resources'],
  [/^\/api\/kept(?=[/?]|$)/, '/api/saved-items'],
  [/^\/api\/identify(?=\?|$)/, '/api/id-lookup'],
  [/^\/api\/inquiry(?=\?|$)/, '/api/platform-detection'],
  [/^\/api\/figures(?=\?|$)/, '/api/stats'],
  [/^\/api\/attention(?=\?|$)/, '/api/alerts'],
  [/^\/api\/annotations\/alike(?=\?|$)/, '/api/annotations/similar'],
  [/^\/api\/session\/ways(?=\?|$)/, '/api/session/methods'],
  [/^(\/api\/runs\/[^/?]+)\/settle(?=\?|$)/, '$1/reconcile'],
  [/^(\/api\/runs\/[^/?]+)\/family(?=\?|$)/, '$1/lineage'],
  [/^(\/api\/workspaces\/[^/?]+\/keys\/[^/?]+)\/survey(?=\?|$)/, '$1/probe'],
]

/** The current URL (path and query) of a retired one; null for any other. Never leaves this origin. */
export function findCurrentUrl(url: string): string | null {
  for (const [retired, current] of RETIRED_PATHS) if (retired.test(url)) return url.replace(retired, current)
  return null
}
