import { z } from 'zod'
import type { Workspace } from '#contract/console/workspaces.ts'

/**
 * What `max_tokens` and `chunk_overlap` count: tokens according to the interface document and on the built-in
 * platform, characters on released platforms.
 */
export const CHUNK_MEASURES = ['characters', 'tokens'] as const
export const ChunkMeasure = z.enum(CHUNK_MEASURES)
export type ChunkMeasure = z.output<typeof ChunkMeasure>

/** How the platform of a workspace measures, by its detected or chosen dialect, else by its version. */
export function getChunkMeasure(workspace: Pick<Workspace, 'builtin' | 'dialect'> | undefined): ChunkMeasure {
  if (!workspace || workspace.builtin) return 'tokens'
  const { chosen, found, version } = workspace.dialect
  const dialect = chosen.retrieval ?? found.retrieval
  if (dialect) return dialect === 'upstream' ? 'characters' : 'tokens'
  return version !== null && /^v?[1-9]/.test(version) ? 'characters' : 'tokens'
}

/** Unicode code points, as released platforms count characters. */
export function countCharacters(text: string): number {
  let count = text.length
  for (const _ of text.matchAll(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)) count--
  return count
}
