import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'

/** The navigation of a narrow screen, over the page. */
export function NarrowNavigation({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const t = useTranslations('shell')
  return (
    <Drawer
      opened
      onClose={onClose}
      position="left"
      size={260}
      padding={0}
      withCloseButton={false}
      aria-label={t('navigation')}
      styles={{ body: { height: '100%' } }}
    >
      {children}
    </Drawer>
  )
}
