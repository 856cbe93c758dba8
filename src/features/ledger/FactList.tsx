import { Box, Text } from '@mantine/core'
import type { ReactNode } from 'react'

export type Fact = readonly [name: string, value: ReactNode]

/** Names with their values, one pair per line. */
export const FactList = ({ facts }: { facts: readonly Fact[] }) => (
  <Box
    component="dl"
    display="grid"
    my="sm"
    fz="sm"
    style={{ gridTemplateColumns: 'max-content minmax(0, 1fr)', gap: '4px 12px', overflowWrap: 'anywhere' }}
  >
    {facts.map(([name, value]) => [
      <Text key={name} component="dt" inherit c="dimmed">
        {name}
      </Text>,
      <dd key={`${name} is`}>{value}</dd>,
    ])}
  </Box>
)
