/** A platform key as pasted: `label` is the NAME of a `NAME=value` line. */
export interface PastedKey {
  secret: string
  label: string | null
}

/** Why a pasted line is not taken as a key. */
export type IgnoredReason = 'url' | 'empty' | 'repeated' | 'not_a_key'
export interface IgnoredLine {
  line: number
  /** The NAME of the line; null for a line without one. Never its value, which may be a secret. */
  name: string | null
  reason: IgnoredReason
}

export interface PastedKeys {
  keys: PastedKey[]
  ignored: IgnoredLine[]
  /** The first URL of the text: an env file usually names the platform next to its keys. */
  base_url: string | null
}

const ASSIGNMENT = /^(?:export\s+)?([A-Za-z_][\w.-]*)\s*=\s*(.*)$/
/** Names of settings that hold no key. A password must not be sent to the platform as a key. */
const OTHER_SETTING = /(^|[_.-])(password|passwd|url|uri|host|port|user|username|email|mode|debug|env|version)$/i
const MIN_NAMED_KEY_CHARS = 8

/**
 * Reads pasted text with one key per line: a bare key, or `NAME=value` as in an env file. Comments (`#`) and empty
 * lines are skipped. Lines without a key are returned with the reason.
 */
export function parseKeyLines(text: string): PastedKeys {
  const result: PastedKeys = { keys: [], ignored: [], base_url: null }
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const trimmed = raw.trim()
    if (trimmed === '' || trimmed.startsWith('#')) continue
    const { name, value } = splitAssignment(trimmed)
    const reason = findIgnoredReason(name, value, result.keys)
    if (reason === 'url') result.base_url ??= value
    if (reason) result.ignored.push({ line: index + 1, name, reason })
    else result.keys.push({ secret: value, label: name })
  }
  return result
}

function splitAssignment(line: string): { name: string | null; value: string } {
  const [, name, assigned = ''] = ASSIGNMENT.exec(line) ?? []
  // A bare key may end in base64 padding.
  if (name === undefined || /^=+$/.test(assigned)) return { name: null, value: line }
  const quoted = /^(["'])(.*)\1(?:\s+#.*)?$/.exec(assigned)
  return { name, value: (quoted?.[2] ?? assigned.replace(/\s+#.*$/, '')).trim() }
}

function findIgnoredReason(name: string | null, value: string, known: readonly PastedKey[]): IgnoredReason | null {
  if (value === '') return 'empty'
  if (/^https?:\/\//i.test(value)) return 'url'
  if (known.some(({ secret }) => secret === value)) return 'repeated'
  if (name === null) return null
  const isKeyLike = value.length >= MIN_NAMED_KEY_CHARS && /^[\x21-\x7e]+$/.test(value) && !/^[\d.]+$|@/.test(value)
  return isKeyLike && !OTHER_SETTING.test(name) ? null : 'not_a_key'
}
