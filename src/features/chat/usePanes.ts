import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { useCallback, useState } from 'react'
import { useLocation } from 'react-router'

const AT_ONCE = { getInitialValueInEffect: false }

/** Which panes have room, and which are open. Where there is none, a pane is a drawer, and a drawer closes when one goes on. */
export function usePanes() {
  const hasRoomForList = useMediaQuery('(min-width: 1200px)', true, AT_ONCE)
  const hasRoomForInspector = useMediaQuery('(min-width: 960px)', true, AT_ONCE)
  const isNarrow = useMediaQuery('(max-width: 640px)', false, AT_ONCE)
  const [isPaneOpen, setPane] = useLocalStorage({
    key: 'loupe-chat-inspector',
    defaultValue: true,
    getInitialValueInEffect: false,
  })
  const [isDrawerOpen, setDrawer] = useState(false)
  const conversation = new URLSearchParams(useLocation().search).get('conversation')
  const [listOpenedAt, setListOpenedAt] = useState<string | null>()
  const set = useCallback(
    (open: boolean) => (hasRoomForInspector ? setPane(open) : setDrawer(open)),
    [hasRoomForInspector, setPane],
  )
  const isInspectorOpen = hasRoomForInspector ? isPaneOpen : isDrawerOpen
  return {
    hasRoomForList,
    hasRoomForInspector,
    isNarrow,
    isInspectorOpen,
    isDrawerOpen,
    areConversationsOpen: listOpenedAt === conversation,
    setConversations: (open: boolean) => setListOpenedAt(open ? conversation : undefined),
    openInspector: useCallback(() => set(true), [set]),
    toggleInspector: () => set(!isInspectorOpen),
  }
}
