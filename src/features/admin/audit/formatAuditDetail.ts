import { asRecord } from '#domain/stream/untrustedJson.ts'

/** The detail of an audit entry as one line of words; null if there is none. The whole record stays available beside it. */
export function formatAuditDetail(detail: unknown): string | null {
  const record = asRecord(detail)
  if (!record) return detail === null || detail === undefined ? null : String(detail as string)
  const { narrowed, grants, ...rest } = record
  const parts = Object.entries(rest).map(([name, value]) => `${name.replaceAll('_', ' ')}: ${formatValue(value)}`)
  if (narrowed === false) parts.push('access: all workspaces')
  else if (Array.isArray(grants)) parts.push(`access: ${grants.map(formatGrant).join(', ') || 'nothing'}`)
  return parts.length === 0 ? null : parts.join('; ')
}

/** A grant by its names; entries of earlier releases have ids alone. */
function formatGrant(grant: unknown): string {
  const { workspace, workspace_name, key, key_label } = asRecord(grant) ?? {}
  const workspaceText = nameOr(workspace_name, workspace)
  return key === null || key === undefined ? `all of ${workspaceText}` : `${nameOr(key_label, key)} in ${workspaceText}`
}

const nameOr = (name: unknown, id: unknown): string => (typeof name === 'string' ? name : String(id).slice(0, 8))

function formatValue(value: unknown): string {
  if (value === null) return 'none'
  const record = asRecord(value)
  if (record)
    return Object.entries(record)
      .map(([name, one]) => `${name.replaceAll('_', ' ')} ${formatValue(one)}`)
      .join(', ')
  return Array.isArray(value) ? value.map(formatValue).join(', ') : String(value as string)
}
