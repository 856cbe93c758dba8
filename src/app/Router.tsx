import { createBrowserRouter, Navigate, RouterProvider } from 'react-router'
import { paths } from '../paths.ts'
import { Crash } from './Crash.tsx'
import { NotFound } from './NotFound.tsx'
import { Shell } from './Shell.tsx'

const router = createBrowserRouter([
  {
    path: '/sign-in',
    lazy: async () => ({ Component: (await import('../features/access/SignInPage.tsx')).SignInPage }),
    ErrorBoundary: Crash,
    HydrateFallback: Blank,
  },
  {
    path: '/',
    Component: Shell,
    ErrorBoundary: Crash,
    HydrateFallback: Blank,
    children: [
      {
        ErrorBoundary: Crash,
        children: [
          { index: true, element: <Navigate to={paths.chat()} replace /> },
          {
            path: 'chat',
            lazy: async () => ({ Component: (await import('../features/chat/ChatPage.tsx')).ChatPage }),
          },
          {
            path: 'datasets',
            lazy: async () => ({ Component: (await import('../features/datasets/DatasetsPage.tsx')).DatasetsPage }),
          },
          {
            path: 'datasets/:dataset_id',
            lazy: async () => ({ Component: (await import('../features/documents/DocumentsPage.tsx')).DocumentsPage }),
          },
          {
            path: 'datasets/:dataset_id/documents/:document_id',
            lazy: async () => ({ Component: (await import('../features/documents/DocumentPage.tsx')).DocumentPage }),
          },
          { path: '*', Component: NotFound },
        ],
      },
    ],
  },
])

/** Every screen is a chunk of its own, loaded when it is first opened. */
export function Router() {
  return <RouterProvider router={router} />
}

function Blank() {
  return null
}
