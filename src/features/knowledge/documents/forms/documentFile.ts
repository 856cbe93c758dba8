import type { Problem } from '#contract/problem.ts'
import type { Workspace } from '#contract/console/workspaces.ts'
import { DOCUMENT_KINDS, getExtension } from '#domain/documentReading/documentKinds.ts'

/** What other platforms usually read beyond that. */
const OTHER_KINDS = ['xls']
const REFUSED_KINDS_KEY = 'loupe.refusedDocumentKinds'

/** The kinds of files that a platform reads, by the end of the name: of the built-in one all, of others the usual ones that it has not refused. */
export function listDocumentKinds(workspace: Pick<Workspace, 'id' | 'builtin'> | undefined): readonly string[] {
  if (workspace?.builtin) return DOCUMENT_KINDS
  const refused = workspace ? (readRefusedKinds()[workspace.id] ?? []) : []
  return [...DOCUMENT_KINDS, ...OTHER_KINDS].filter((kind) => !refused.includes(kind))
}

const UNSUPPORTED_MEDIA_TYPE = 415

/** Remembers in this browser that a platform does not read files of this kind. */
export function recordRefusedKind(workspace: Workspace | undefined, name: string, { upstream }: Problem): void {
  if (!workspace || workspace.builtin || upstream?.status !== UNSUPPORTED_MEDIA_TYPE) return
  const refused = readRefusedKinds()
  const kinds = new Set([...(refused[workspace.id] ?? []), getExtension(name)])
  try {
    localStorage.setItem(REFUSED_KINDS_KEY, JSON.stringify({ ...refused, [workspace.id]: [...kinds] }))
  } catch {
    // Storage is disabled.
  }
}

function readRefusedKinds(): Record<string, string[]> {
  try {
    return JSON.parse(localStorage.getItem(REFUSED_KINDS_KEY) ?? '{}') as Record<string, string[]>
  } catch {
    return {}
  }
}

/** The usual limit of a platform, in bytes ("system_parameters", in megabytes); a platform may have another. */
export const USUAL_MAX_FILE_BYTES = 15 * 1024 * 1024

export type FileErrorKind = 'empty' | 'kind' | 'size'

/** A likely refusal, so that the person is asked before the upload; null without one. */
export function findDocumentFileError(
  { name, size }: { name: string; size: number },
  kinds: readonly string[],
): FileErrorKind | null {
  if (size === 0) return 'empty'
  if (!kinds.includes(getExtension(name))) return 'kind'
  return size > USUAL_MAX_FILE_BYTES ? 'size' : null
}

/** Bytes for a person: `5.2 MB`. */
export function formatMegabytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} kB`
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
