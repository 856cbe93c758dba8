import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

interface RunSectionProps {
  title: string
  /** The level of its heading. */
  order?: 2 | 3
  children: ReactNode
}

/** A part of the page of a run, with its heading. */
export function RunSection({ title, order = 2, children }: RunSectionProps) {
  return (
    <section aria-label={title}>
      <RunHeading order={order}>{title}</RunHeading>
      {children}
    </section>
  )
}

export function RunHeading({ order = 2, children }: { order?: 2 | 3; children: ReactNode }) {
  return (
    <Text component={order === 2 ? 'h2' : 'h3'} mb="xs" fz="sm" fw={550} c="dimmed">
      {children}
    </Text>
  )
}

/** A sentence about what is shown, or why nothing is. */
export function RunNote({ children }: { children: ReactNode }) {
  return (
    <Text fz="sm" c="dimmed">
      {children}
    </Text>
  )
}
