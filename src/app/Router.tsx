import { lazy, Suspense } from 'react'
import { BrowserRouter, Route, Routes } from 'react-router'
import { Crash } from './Crash.tsx'
import { NotFound } from './NotFound.tsx'
import { Shell } from './Shell.tsx'

const SignInPage = lazy(async () => ({ default: (await import('../features/access/SignInPage.tsx')).SignInPage }))
const DriftPage = lazy(async () => ({ default: (await import('../features/drift/DriftPage.tsx')).DriftPage }))
const HomePage = lazy(async () => ({ default: (await import('../features/home/HomePage.tsx')).HomePage }))
const ChatPage = lazy(async () => ({ default: (await import('../features/chat/ChatPage.tsx')).ChatPage }))
const CompletionPage = lazy(async () => ({
  default: (await import('../features/completion/CompletionPage.tsx')).CompletionPage,
}))
const WorkflowsPage = lazy(async () => ({
  default: (await import('../features/workflows/WorkflowsPage.tsx')).WorkflowsPage,
}))
const ComparePage = lazy(async () => ({
  default: (await import('../features/compare/ComparePage.tsx')).ComparePage,
}))
const BoardPage = lazy(async () => ({ default: (await import('../features/compare/BoardPage.tsx')).BoardPage }))
const RunsPage = lazy(async () => ({ default: (await import('../features/runs/RunsPage.tsx')).RunsPage }))
const RunPage = lazy(async () => ({ default: (await import('../features/runs/RunPage.tsx')).RunPage }))
const RunFile = lazy(async () => ({ default: (await import('../run/RunFile.tsx')).RunFile }))
const AnnotationsPage = lazy(async () => ({
  default: (await import('../features/annotations/AnnotationsPage.tsx')).AnnotationsPage,
}))
const BatchesPage = lazy(async () => ({ default: (await import('../features/batches/BatchesPage.tsx')).BatchesPage }))
const NewBatchPage = lazy(async () => ({
  default: (await import('../features/batches/NewBatchPage.tsx')).NewBatchPage,
}))
const BatchPage = lazy(async () => ({ default: (await import('../features/batches/BatchPage.tsx')).BatchPage }))
const LedgerPage = lazy(async () => ({ default: (await import('../features/ledger/LedgerPage.tsx')).LedgerPage }))
const RetentionPage = lazy(async () => ({
  default: (await import('../features/ledger/RetentionPage.tsx')).RetentionPage,
}))
const DatasetsPage = lazy(async () => ({
  default: (await import('../features/datasets/DatasetsPage.tsx')).DatasetsPage,
}))
const DatasetSettingsPage = lazy(async () => ({
  default: (await import('../features/datasets/DatasetSettingsPage.tsx')).DatasetSettingsPage,
}))
const DocumentsPage = lazy(async () => ({
  default: (await import('../features/documents/DocumentsPage.tsx')).DocumentsPage,
}))
const DocumentPage = lazy(async () => ({
  default: (await import('../features/segments/DocumentPage.tsx')).DocumentPage,
}))

const RetrievalPage = lazy(async () => ({
  default: (await import('../features/retrieval/RetrievalPage.tsx')).RetrievalPage,
}))
const WorkspacesPage = lazy(async () => ({
  default: (await import('../features/workspaces/WorkspacesPage.tsx')).WorkspacesPage,
}))
const LabPage = lazy(async () => ({ default: (await import('../features/lab/LabPage.tsx')).LabPage }))

/** Every screen is a chunk of its own, loaded when it is first opened. */
export function Router() {
  return (
    <BrowserRouter>
      <Crash>
        <Suspense>
          <Routes>
            <Route path="/sign-in" element={<SignInPage />} />
            <Route path="/" element={<Shell />}>
              <Route index element={<HomePage />} />
              <Route path="chat" element={<ChatPage />} />
              <Route path="completion" element={<CompletionPage />} />
              <Route path="workflows" element={<WorkflowsPage />} />
              <Route path="runs" element={<RunsPage />} />
              <Route path="runs/open" element={<RunFile />} />
              <Route path="runs/:run_id" element={<RunPage />} />
              <Route path="compare" element={<ComparePage />} />
              <Route path="compare/:board_id" element={<BoardPage />} />
              <Route path="annotations" element={<AnnotationsPage />} />
              <Route path="batches" element={<BatchesPage />} />
              <Route path="batches/new" element={<NewBatchPage />} />
              <Route path="batches/:batch_id" element={<BatchPage />} />
              <Route path="datasets" element={<DatasetsPage />} />
              <Route path="datasets/:dataset_id" element={<DocumentsPage />} />
              <Route path="datasets/:dataset_id/settings" element={<DatasetSettingsPage />} />
              <Route path="datasets/:dataset_id/documents/:document_id" element={<DocumentPage />} />
              <Route path="datasets/:dataset_id/retrieval" element={<RetrievalPage />} />
              <Route path="ledger" element={<LedgerPage />} />
              <Route path="ledger/retention" element={<RetentionPage />} />
              <Route path="workspaces" element={<WorkspacesPage />} />
              <Route path="drift" element={<DriftPage />} />
              <Route path="lab" element={<LabPage />} />
              <Route path="*" element={<NotFound />} />
            </Route>
          </Routes>
        </Suspense>
      </Crash>
    </BrowserRouter>
  )
}
