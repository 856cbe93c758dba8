import { preloadRunStream } from '../../../client/useRun.ts'
import { lazyWithPreload } from '../../../components/layout/lazyWithPreload.tsx'
import { LazyMarkdown } from '../../runs/answer/LazyMarkdown.ts'

/** The turns load with the first of them: a new conversation starts without them. */
export const LazyChatTranscript = lazyWithPreload(
  async () => (await import('./transcript/ChatTranscript.tsx')).ChatTranscript,
)
export const LazyRunInspector = lazyWithPreload(
  async () => (await import('../../runs/inspector/RunInspector.tsx')).RunInspector,
)
/** Only on a small screen. */
export const LazyInspectorBar = lazyWithPreload(
  async () => (await import('../../runs/inspector/InspectorBar.tsx')).InspectorBar,
)
export const LazySearchField = lazyWithPreload(
  async () => (await import('../../../components/forms/SearchField.tsx')).SearchField,
)
/** Only a conversation that was begun from a dataset. */
export const LazyAboutNote = lazyWithPreload(async () => (await import('./composer/AboutNote.tsx')).AboutNote)
/** Only chatflows have variables. */
export const LazyVariablesTab = lazyWithPreload(async () => (await import('./variables/VariablesTab.tsx')).VariablesTab)

/** Loads what a person needs next, in parallel with the first requests of a conversation, not after them. */
export function preloadChatParts(): void {
  preloadRunStream()
  for (const { preload } of [LazyChatTranscript, LazyMarkdown, LazyRunInspector, LazyInspectorBar, LazySearchField])
    void preload()
}

/** Only where the person may rename the conversation. */
export const LazyRenameForm = lazyWithPreload(async () => (await import('./RenameForm.tsx')).RenameForm)
