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
  { path: '/sign-in', load: async () => (await import('../features/access/SignInPage.tsx')).SignInPage },
  { path: '/', load: async () => (await import('../features/home/HomePage.tsx')).HomePage },
  { path: '/chat', load: async () => (await import('../features/chat/ChatPage.tsx')).ChatPage },
  { path: '/completion', load: async () => (await import('../features/completion/CompletionPage.tsx')).CompletionPage },
  { path: '/workflows', load: async () => (await import('../features/workflows/WorkflowsPage.tsx')).WorkflowsPage },
  { path: '/runs', load: async () => (await import('../features/runs/RunsPage.tsx')).RunsPage },
  { path: '/runs/open', load: async () => (await import('../run/RunFile.tsx')).RunFile },
  { path: '/runs/:run_id', load: async () => (await import('../features/runs/RunPage.tsx')).RunPage },
  { path: '/compare', load: async () => (await import('../features/compare/ComparePage.tsx')).ComparePage },
  { path: '/compare/:board_id', load: async () => (await import('../features/compare/BoardPage.tsx')).BoardPage },
  {
    path: '/annotations',
    load: async () => (await import('../features/annotations/AnnotationsPage.tsx')).AnnotationsPage,
  },
  { path: '/batches', load: async () => (await import('../features/batches/BatchesPage.tsx')).BatchesPage },
  { path: '/batches/new', load: async () => (await import('../features/batches/NewBatchPage.tsx')).NewBatchPage },
  { path: '/batches/:batch_id', load: async () => (await import('../features/batches/BatchPage.tsx')).BatchPage },
  { path: '/datasets', load: async () => (await import('../features/datasets/DatasetsPage.tsx')).DatasetsPage },
  {
    path: '/datasets/:dataset_id',
    load: async () => (await import('../features/documents/DocumentsPage.tsx')).DocumentsPage,
  },
  {
    path: '/datasets/:dataset_id/settings',
    load: async () => (await import('../features/datasets/DatasetSettingsPage.tsx')).DatasetSettingsPage,
  },
  {
    path: '/datasets/:dataset_id/documents/:document_id',
    load: async () => (await import('../features/segments/DocumentPage.tsx')).DocumentPage,
  },
  {
    path: '/datasets/:dataset_id/retrieval',
    load: async () => (await import('../features/retrieval/RetrievalPage.tsx')).RetrievalPage,
  },
  { path: '/ledger', load: async () => (await import('../features/ledger/LedgerPage.tsx')).LedgerPage },
  { path: '/ledger/retention', load: async () => (await import('../features/ledger/RetentionPage.tsx')).RetentionPage },
  { path: '/workspaces', load: async () => (await import('../features/workspaces/WorkspacesPage.tsx')).WorkspacesPage },
  { path: '/drift', load: async () => (await import('../features/drift/DriftPage.tsx')).DriftPage },
  { path: '/people', load: async () => (await import('../features/people/PeoplePage.tsx')).PeoplePage },
  { path: '/people/audit', load: async () => (await import('../features/people/AuditPage.tsx')).AuditPage },
  { path: '/account', load: async () => (await import('../features/account/AccountPage.tsx')).AccountPage },
  { path: '/lab', load: async () => (await import('../features/lab/LabPage.tsx')).LabPage },
]

/** The screen at a path; where two fit, the one whose address has it in so many words. */
export function screenAt(pathname: string): Screen | undefined {
  const parts = partsOf(pathname)
  const fitting = SCREENS.filter(({ path }) => {
    const names = partsOf(path)
    return names.length === parts.length && names.every((name, at) => name.startsWith(':') || name === parts[at])
  })
  return fitting.find(({ path }) => !path.includes(':')) ?? fitting[0]
}

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '')
