import { Drawer } from '@mantine/core'
import type { LazyDrawerProps } from './LazyDrawer.tsx'
import classes from './LazyDrawer.module.css'

/** The sheet itself. The name stands at the dialog: Drawer would put it on a box around it, where it says nothing. */
export function DrawerContent({ opened, onClose, label, position, size, children }: LazyDrawerProps) {
  return (
    <Drawer.Root opened={opened} onClose={onClose} position={position} size={size}>
      <Drawer.Overlay />
      <Drawer.Content aria-label={label} className={classes.sheet} data-position={position}>
        <Drawer.Body className={classes.body}>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  )
}
