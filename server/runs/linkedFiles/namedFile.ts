import { isPlatformFile, toLinkedFileUrl } from '#contract/console/files/linkedFile.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'

const NOT_NAMED: Problem = {
  kind: 'invalid',
  status: 404,
  message: 'The answer of this run does not name this file.',
  fields: [{ path: 'url', message: 'The answer of this run does not name this file.' }],
}

/** The URL of a file, if the stored answer of a run names it. @throws ProblemError 404 */
export function requireNamedFile(answer: unknown, given: string, base_url: string): URL {
  const url = toLinkedFileUrl(given, base_url)
  if (!url || !isNamedIn(answer, listSpellings(given, url, base_url))) throw new ProblemError(NOT_NAMED)
  return url
}

/** Spellings of a URL as sent and as written by a browser. A URL without an origin names a file of the platform. */
function listSpellings(given: string, url: URL, base_url: string): string[] {
  const path = isPlatformFile(url, base_url) ? [`${url.pathname}${url.search}`] : []
  const spellings = [given, url.href, decodeSafely(url.href), ...path]
  return spellings.flatMap((one) => [one, one.replaceAll('&', '&amp;')])
}

const decodeSafely = (href: string): string => {
  try {
    return decodeURI(href)
  } catch {
    return href
  }
}

/** What may surround a URL in a text: its boundaries, and Markdown's emphasis or punctuation next to them. */
const ADDRESS_START = /(?<=(?:^|[\s"'<>([])[*_~]*)/y
const ADDRESS_END = /[.,:;!?*_~]*(?:$|[\s"'<>)\]])/y

const matchesAt = (pattern: RegExp, text: string, index: number): boolean => {
  pattern.lastIndex = index
  return pattern.test(text)
}

function hasAddress(text: string, address: string): boolean {
  for (let at = text.indexOf(address); at !== -1; at = text.indexOf(address, at + 1))
    if (matchesAt(ADDRESS_START, text, at) && matchesAt(ADDRESS_END, text, at + address.length)) return true
  return false
}

/** Whether a text of the answer contains one of the spellings as a complete URL. */
function isNamedIn(answer: unknown, spellings: readonly string[]): boolean {
  if (typeof answer === 'string') return spellings.some((one) => hasAddress(answer, one))
  if (typeof answer !== 'object' || answer === null) return false
  return Object.values(answer).some((part) => isNamedIn(part, spellings))
}
