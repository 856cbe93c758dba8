/** First path segments of the interface and of its optional operations. */
const OPERATION_SEGMENT =
  /\/(datasets|workspaces|workflows|chat-messages|completion-messages|messages|conversations|parameters|info|meta|site|apps|files)(\/|$)/

/** Hosts that are usually reached without TLS: this machine, private addresses, and names without a dot. */
const LOCAL_HOST =
  /^(localhost|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[|[^.:/]+(:|\/|$)|[^:/]+\.(local|internal)(:|\/|$))/i

/**
 * The base URL that a person probably meant: a missing scheme is added (`http` for this machine and private
 * addresses, else `https`, so that a guess never sends a key unencrypted), and the path of an operation is cut off.
 * @returns the corrected URL, or null if there is nothing to correct
 */
export function correctBaseUrl(input: string): string | null {
  const given = input.trim()
  const withScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(given)
    ? given
    : `${LOCAL_HOST.test(given) ? 'http' : 'https'}://${given.replace(/^\/+/, '')}`
  if (!/^https?:\/\//i.test(withScheme) || !URL.canParse(withScheme)) return null
  const url = new URL(withScheme)
  const pathname = url.pathname.replace(/\/+$/, '')
  const version = /^.*?\/v1(?=\/|$)/.exec(pathname)
  const operationAt = pathname.search(OPERATION_SEGMENT)
  const path = version ? version[0] : operationAt >= 0 ? pathname.slice(0, operationAt) : pathname
  const isCut = path !== pathname
  const corrected = url.origin + path
  if (withScheme === given && !isCut) return null
  return isCut || !(url.search || url.hash) ? corrected : null
}
