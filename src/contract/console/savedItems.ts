import { z } from 'zod'
import { endpoint, Id, IsoTime } from '../endpoint.ts'

/**
 * Items that people save in the console, visible to everyone with access to the workspace: input sets, comparison boards,
 * review marks, views of the list of runs.
 */
export const SAVED_ITEM_KINDS = ['input_set', 'board', 'mark', 'call_view'] as const
export type SavedItemKind = (typeof SAVED_ITEM_KINDS)[number]

export const SavedItem = z.object({
  id: z.string(),
  kind: z.enum(SAVED_ITEM_KINDS),
  workspace: z.string(),
  /** Its owner: a dataset, a key, a run; null for the workspace. */
  about: z.string().nullable(),
  name: z.string(),
  /** Its schema depends on the kind. */
  value: z.unknown(),
  person: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type SavedItem = z.output<typeof SavedItem>

const savedItemName = z.string().trim().min(1).max(120)

export const savedItemEndpoints = {
  /** Newest first, at most 200. */
  listSavedItems: endpoint({
    method: 'GET',
    path: '/api/saved-items',
    key: 'none',
    permission: 'read',
    query: z.strictObject({
      kind: z.enum(SAVED_ITEM_KINDS),
      workspace: Id,
      about: z.string().max(255).optional(),
    }),
    reply: z.object({ data: z.array(SavedItem), total: z.number() }),
    tags: ['saved_items'],
  }),
  readSavedItem: endpoint({
    method: 'GET',
    path: '/api/saved-items/:saved_item_id',
    key: 'none',
    permission: 'read',
    reply: SavedItem,
    tags: ['saved_items'],
  }),
  createSavedItem: endpoint({
    method: 'POST',
    path: '/api/saved-items',
    key: 'none',
    permission: 'run',
    body: z.strictObject({
      kind: z.enum(SAVED_ITEM_KINDS),
      workspace: Id,
      about: z.string().max(255).optional(),
      name: savedItemName,
      value: z.unknown(),
      /** Of a board: the board whose ended rounds it shows, too. */
      copy_of: Id.optional(),
    }),
    reply: SavedItem,
    invalidates: ['saved_items'],
  }),
  /** With `read_at`, the `updated_at` that was read, only if nobody has changed it since: else 409. */
  updateSavedItem: endpoint({
    method: 'PATCH',
    path: '/api/saved-items/:saved_item_id',
    key: 'none',
    permission: 'run',
    body: z.strictObject({
      name: savedItemName.optional(),
      value: z.unknown().optional(),
      read_at: IsoTime.optional(),
    }),
    reply: SavedItem,
    invalidates: ['saved_items'],
  }),
  deleteSavedItem: endpoint({
    method: 'DELETE',
    path: '/api/saved-items/:saved_item_id',
    key: 'none',
    permission: 'run',
    reply: z.object({ id: z.string() }),
    invalidates: ['saved_items'],
  }),
}
