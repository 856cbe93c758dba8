import { useClipboard } from '@mantine/hooks'
import { useShortcuts } from '../../../../components/hooks/useShortcuts.ts'
import type { SegmentNavigation } from './useSegmentNavigation.ts'
import type { SegmentSelection } from './useSegmentSelection.ts'

interface ChunkBrowserKeys {
  navigation: SegmentNavigation
  selection: SegmentSelection | null
  /** Undefined for somebody who may not edit, or where the platform offers no edit. */
  onEdit: (() => void) | undefined
}

/** The keys of a list for the segment that is shown: e edits, x selects, c copies its id, where no row has the focus. */
export function useChunkBrowserKeys({ navigation: { current, index }, selection, onEdit }: ChunkBrowserKeys): void {
  const clipboard = useClipboard()
  const onCurrent = (act: () => void) => (event: KeyboardEvent) => {
    const isOnRowOrDialog =
      event.target instanceof Element && event.target.closest('[data-row-index], [role=dialog], [role=menu]')
    if (!isOnRowOrDialog) act()
  }
  useShortcuts([
    ['e', onCurrent(() => onEdit?.())],
    ['x', onCurrent(() => current && index !== null && selection?.toggle(current, index))],
    ['c', onCurrent(() => current && clipboard.copy(current))],
  ])
}
