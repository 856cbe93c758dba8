import type { ComponentType } from 'react'

export interface Screen {
  /** Its address, as the router writes it. */
  path: string
  load: () => Promise<ComponentType>
}

/**
 * Every screen, each a chunk of its own that is loaded when it is first opened. This file stands before React: what a
 * page begins with is on its way while React itself is still coming.
 */
export const SCREENS: readonly Screen[] = [
  { path: '/sign-in', load: async () => (await import('../features/signIn/SignInPage.tsx')).SignInPage },
  { path: '/', load: async () => (await import('../features/home/HomePage.tsx')).HomePage },
  { path: '/chat', load: async () => (await import('../features/playground/chat/ChatPage.tsx')).ChatPage },
  {
    path: '/completion',
    load: async () => (await import('../features/playground/inputsApp/CompletionPage.tsx')).CompletionPage,
  },
  {
    path: '/workflows',
    load: async () => (await import('../features/playground/inputsApp/WorkflowsPage.tsx')).WorkflowsPage,
  },
  { path: '/runs', load: async () => (await import('../features/runs/list/RunsPage.tsx')).RunsPage },
  { path: '/runs/open', load: async () => (await import('../features/runs/runFile/RunFilePage.tsx')).RunFilePage },
  { path: '/runs/:run_id', load: async () => (await import('../features/runs/page/RunPage.tsx')).RunPage },
  { path: '/compare', load: async () => (await import('../features/boards/BoardsPage.tsx')).BoardsPage },
  { path: '/compare/:board_id', load: async () => (await import('../features/boards/BoardPage.tsx')).BoardPage },
  {
    path: '/annotations',
    load: async () => (await import('../features/annotations/AnnotationsPage.tsx')).AnnotationsPage,
  },
  { path: '/batches', load: async () => (await import('../features/batches/BatchesPage.tsx')).BatchesPage },
  { path: '/batches/new', load: async () => (await import('../features/batches/NewBatchPage.tsx')).NewBatchPage },
  { path: '/batches/:batch_id', load: async () => (await import('../features/batches/BatchPage.tsx')).BatchPage },
  {
    path: '/datasets',
    load: async () => (await import('../features/knowledge/datasets/DatasetsPage.tsx')).DatasetsPage,
  },
  {
    path: '/datasets/:dataset_id',
    load: async () => (await import('../features/knowledge/documents/DocumentsPage.tsx')).DocumentsPage,
  },
  {
    path: '/datasets/:dataset_id/settings',
    load: async () => (await import('../features/knowledge/datasets/DatasetSettingsPage.tsx')).DatasetSettingsPage,
  },
  {
    path: '/datasets/:dataset_id/documents/:document_id',
    load: async () => (await import('../features/knowledge/segments/DocumentPage.tsx')).DocumentPage,
  },
  {
    path: '/datasets/:dataset_id/retrieval',
    load: async () => (await import('../features/knowledge/retrieval/RetrievalPage.tsx')).RetrievalPage,
  },
  { path: '/ledger', load: async () => (await import('../features/ledger/LedgerPage.tsx')).LedgerPage },
  { path: '/ledger/retention', load: async () => (await import('../features/ledger/RetentionPage.tsx')).RetentionPage },
  {
    path: '/workspaces',
    load: async () => (await import('../features/admin/workspaces/WorkspacesPage.tsx')).WorkspacesPage,
  },
  { path: '/drift', load: async () => (await import('../features/drift/DriftPage.tsx')).DriftPage },
  { path: '/people', load: async () => (await import('../features/admin/people/PeoplePage.tsx')).PeoplePage },
  { path: '/people/audit', load: async () => (await import('../features/admin/audit/AuditPage.tsx')).AuditPage },
  { path: '/account', load: async () => (await import('../features/admin/account/AccountPage.tsx')).AccountPage },
  { path: '/lab', load: async () => (await import('../features/knowledge/chunkLab/ChunkLabPage.tsx')).ChunkLabPage },
]

/** The screen at a path; where two fit, the one whose address has it in so many words. */
export function findScreen(pathname: string): Screen | undefined {
  const parts = splitPath(pathname)
  const fitting = SCREENS.filter(({ path }) => {
    const names = splitPath(path)
    return names.length === parts.length && names.every((name, at) => name.startsWith(':') || name === parts[at])
  })
  return fitting.find(({ path }) => !path.includes(':')) ?? fitting[0]
}

const splitPath = (path: string): string[] => path.split('/').filter((part) => part !== '')
