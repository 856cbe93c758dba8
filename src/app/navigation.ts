import {
  IconActivity,
  IconBook2,
  IconBookmark,
  IconChecklist,
  IconColumns3,
  IconCursorText,
  IconGitCompare,
  IconHome,
  IconKey,
  IconMessage,
  IconScissors,
  IconServer2,
  IconSitemap,
  IconStack2,
  IconTable,
  IconUserQuestion,
  IconUsers,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { KeyKind, Permission } from '#contract/endpoint.ts'
import { hasPermission, type Role } from '#contract/permissions.ts'
import type { Workspace } from '#contract/console/workspaces.ts'
import { isBeyondGrants } from '../client/grants.ts'

/** How the navigation, the command palette and the shortcuts present a screen. */
export interface MenuEntry {
  title: string
  icon: ComponentType<{ size: number; stroke?: number }>
  /** The section of the navigation; a screen without it is in the command palette only. */
  section?: 'overview' | 'try' | 'knowledge' | 'console'
  /** The key that opens the screen after `g`. */
  shortcut?: string
  /** False for a screen that is the same in every workspace: its URL contains no workspace. */
  inWorkspace: boolean
  /** True for the screen whose entry shows the number of runs that wait for a person. */
  hasWaitingCount?: boolean
  /** The permission that a person needs to see the entry. */
  permission?: Permission
  /** The kinds of keys that the screen works with: without a grant of one the entry is disabled. */
  keyKinds?: readonly KeyKind[]
}

export interface Screen {
  /** The route path, in the router's syntax. */
  path: string
  /** The only dynamic imports of the entry: `vite.config.ts` derives the chunks of a screen from their order. */
  load: () => Promise<ComponentType>
  /** A screen without a menu entry is reached from another screen. */
  menu?: MenuEntry
}

const APP_KEY_KINDS: readonly KeyKind[] = ['chat', 'completion', 'workflow']

/** Every screen, each in its own chunk, loaded on first visit; menus show them in this order. */
export const SCREENS: readonly Screen[] = [
  { path: '/sign-in', load: async () => (await import('../features/signIn/SignInPage.tsx')).SignInPage },
  {
    path: '/',
    load: async () => (await import('../features/home/HomePage.tsx')).HomePage,
    menu: { title: 'Home', icon: IconHome, section: 'overview', shortcut: 'h', inWorkspace: false },
  },
  {
    path: '/chat',
    load: async () => (await import('../features/playground/chat/ChatPage.tsx')).ChatPage,
    menu: { title: 'Chat', icon: IconMessage, section: 'try', shortcut: 'c', inWorkspace: true, keyKinds: ['chat'] },
  },
  {
    path: '/completion',
    load: async () => (await import('../features/playground/inputsApp/CompletionPage.tsx')).CompletionPage,
    menu: {
      title: 'Completion',
      icon: IconCursorText,
      section: 'try',
      shortcut: 't',
      inWorkspace: true,
      keyKinds: ['completion'],
    },
  },
  {
    path: '/workflows',
    load: async () => (await import('../features/playground/inputsApp/WorkflowsPage.tsx')).WorkflowsPage,
    menu: {
      title: 'Workflows',
      icon: IconSitemap,
      section: 'try',
      shortcut: 'w',
      inWorkspace: true,
      keyKinds: ['workflow'],
    },
  },
  {
    path: '/runs',
    load: async () => (await import('../features/runs/list/RunsPage.tsx')).RunsPage,
    menu: { title: 'Runs', icon: IconActivity, section: 'try', shortcut: 'r', inWorkspace: true },
  },
  { path: '/runs/open', load: async () => (await import('../features/runs/runFile/RunFilePage.tsx')).RunFilePage },
  { path: '/runs/:run_id', load: async () => (await import('../features/runs/page/RunPage.tsx')).RunPage },
  {
    path: '/waiting',
    load: async () => (await import('../features/runs/waiting/WaitingPage.tsx')).WaitingPage,
    menu: {
      title: 'Waiting',
      icon: IconUserQuestion,
      section: 'try',
      shortcut: 'p',
      inWorkspace: false,
      hasWaitingCount: true,
    },
  },
  {
    path: '/compare',
    load: async () => (await import('../features/boards/BoardsPage.tsx')).BoardsPage,
    menu: {
      title: 'Compare',
      icon: IconColumns3,
      section: 'try',
      shortcut: 'b',
      inWorkspace: true,
      keyKinds: APP_KEY_KINDS,
    },
  },
  { path: '/compare/:board_id', load: async () => (await import('../features/boards/BoardPage.tsx')).BoardPage },
  {
    path: '/batches',
    load: async () => (await import('../features/batches/BatchesPage.tsx')).BatchesPage,
    menu: {
      title: 'Batches',
      icon: IconTable,
      section: 'try',
      shortcut: 'q',
      inWorkspace: true,
      keyKinds: APP_KEY_KINDS,
    },
  },
  { path: '/batches/new', load: async () => (await import('../features/batches/NewBatchPage.tsx')).NewBatchPage },
  { path: '/batches/:batch_id', load: async () => (await import('../features/batches/BatchPage.tsx')).BatchPage },
  {
    path: '/suites',
    load: async () => (await import('../features/suites/SuitesPage.tsx')).SuitesPage,
    menu: { title: 'Suites', icon: IconChecklist, section: 'try', shortcut: 's', inWorkspace: true },
  },
  { path: '/suites/:suite_id', load: async () => (await import('../features/suites/SuitePage.tsx')).SuitePage },
  {
    path: '/ledger',
    load: async () => (await import('../features/ledger/LedgerPage.tsx')).LedgerPage,
    menu: { title: 'Ledger', icon: IconBook2, section: 'console', shortcut: 'l', inWorkspace: true },
  },
  { path: '/ledger/retention', load: async () => (await import('../features/ledger/RetentionPage.tsx')).RetentionPage },
  {
    path: '/annotations',
    load: async () => (await import('../features/annotations/AnnotationsPage.tsx')).AnnotationsPage,
    menu: {
      title: 'Annotations',
      icon: IconBookmark,
      section: 'knowledge',
      shortcut: 'a',
      inWorkspace: true,
      keyKinds: ['chat', 'completion'],
    },
  },
  {
    path: '/datasets',
    load: async () => (await import('../features/knowledge/datasets/DatasetsPage.tsx')).DatasetsPage,
    menu: {
      title: 'Datasets',
      icon: IconStack2,
      section: 'knowledge',
      shortcut: 'd',
      inWorkspace: true,
      keyKinds: ['knowledge'],
    },
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
  {
    path: '/lab',
    load: async () => (await import('../features/knowledge/chunkLab/ChunkLabPage.tsx')).ChunkLabPage,
    menu: { title: 'Chunk lab', icon: IconScissors, section: 'knowledge', inWorkspace: true },
  },
  {
    path: '/workspaces',
    load: async () => (await import('../features/admin/workspaces/WorkspacesPage.tsx')).WorkspacesPage,
    menu: { title: 'Workspaces and keys', icon: IconKey, section: 'console', inWorkspace: false },
  },
  {
    path: '/drift',
    load: async () => (await import('../features/drift/DriftPage.tsx')).DriftPage,
    menu: { title: 'Contract drift', icon: IconGitCompare, inWorkspace: true },
  },
  {
    path: '/people',
    load: async () => (await import('../features/admin/people/PeoplePage.tsx')).PeoplePage,
    menu: { title: 'People', icon: IconUsers, section: 'console', inWorkspace: false, permission: 'manage' },
  },
  { path: '/people/audit', load: async () => (await import('../features/admin/audit/AuditPage.tsx')).AuditPage },
  {
    path: '/servers',
    load: async () => (await import('../features/admin/servers/ServersPage.tsx')).ServersPage,
    menu: { title: 'Servers', icon: IconServer2, section: 'console', inWorkspace: false, permission: 'manage' },
  },
  { path: '/account', load: async () => (await import('../features/admin/account/AccountPage.tsx')).AccountPage },
]

export interface MenuScreen extends MenuEntry {
  path: string
}

export const MENU_SCREENS: readonly MenuScreen[] = SCREENS.flatMap(({ path, menu }) =>
  menu ? [{ path, ...menu }] : [],
)

/** A menu screen as one person may use it; `isBlocked`: their grants in this workspace exclude what it works with. */
export interface OfferedScreen extends MenuScreen {
  isBlocked: boolean
}

/** The screens for a role: those that it can never use are missing, those that the grants exclude are blocked. */
export const findOfferedScreens = (
  role: Role | undefined,
  workspace: Pick<Workspace, 'access' | 'keys'> | undefined,
): OfferedScreen[] =>
  MENU_SCREENS.filter(({ permission }) => !permission || (role && hasPermission(role, permission))).map((screen) => ({
    ...screen,
    isBlocked: screen.keyKinds ? isBeyondGrants(workspace, screen.keyKinds) : false,
  }))

/** The URL of a menu screen in the current workspace. */
export function toScreenUrl({ path, inWorkspace }: MenuScreen, workspace: { id: string } | null | undefined): string {
  return inWorkspace && workspace ? `${path}?${new URLSearchParams({ workspace: workspace.id })}` : path
}

/** Finds the screen for a path; if two match, the one with the literal path wins over the one with parameters. */
export function findScreen(pathname: string): Screen | undefined {
  const parts = splitPath(pathname)
  const fitting = SCREENS.filter(({ path }) => {
    const names = splitPath(path)
    return names.length === parts.length && names.every((name, at) => name.startsWith(':') || name === parts[at])
  })
  return fitting.find(({ path }) => !path.includes(':')) ?? fitting[0]
}

const splitPath = (path: string): string[] => path.split('/').filter((part) => part !== '')
