import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { useCallback, useState } from 'react'
import { useLocation } from 'react-router'

const READ_MEDIA_IMMEDIATELY = { getInitialValueInEffect: false }

/** Which panes fit, and which are open. A pane that does not fit is a drawer, which closes on navigation. */
export function useChatPanes() {
  const fitsList = useMediaQuery('(min-width: 1200px)', true, READ_MEDIA_IMMEDIATELY)
  const fitsInspector = useMediaQuery('(min-width: 960px)', true, READ_MEDIA_IMMEDIATELY)
  const isNarrow = useMediaQuery('(max-width: 640px)', false, READ_MEDIA_IMMEDIATELY)
  const [isPaneOpen, setPane] = useLocalStorage({
    key: 'loupe-chat-inspector',
    defaultValue: true,
    getInitialValueInEffect: false,
  })
  const [isDrawerOpen, setDrawer] = useState(false)
  const conversation = new URLSearchParams(useLocation().search).get('conversation')
  const [listOpenedAt, setListOpenedAt] = useState<string | null>()
  const set = useCallback(
    (open: boolean) => (fitsInspector ? setPane(open) : setDrawer(open)),
    [fitsInspector, setPane],
  )
  const isInspectorOpen = fitsInspector ? isPaneOpen : isDrawerOpen
  return {
    hasRoomForList: fitsList,
    hasRoomForInspector: fitsInspector,
    isNarrow,
    isInspectorOpen,
    isDrawerOpen,
    areConversationsOpen: listOpenedAt === conversation,
    setConversations: (open: boolean) => setListOpenedAt(open ? conversation : undefined),
    openInspector: useCallback(() => set(true), [set]),
    toggleInspector: () => set(!isInspectorOpen),
  }
}
