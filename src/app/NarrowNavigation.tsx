import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'

/** The navigation of a narrow screen, over the page. */
export function NarrowNavigation({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const t = useTranslations('shell')
  return (
    <Drawer.Root opened onClose={onClose} position="left" size={260}>
      <Drawer.Overlay />
      <Drawer.Content aria-label={t('navigation')}>{children}</Drawer.Content>
    </Drawer.Root>
  )
}
