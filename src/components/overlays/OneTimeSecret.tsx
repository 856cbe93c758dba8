import { Box, Button, CopyButton, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { componentMessages } from '../i18n/messages.ts'
import { useMessages } from '../i18n/useMessages.ts'

export interface OneTimeSecretProps {
  label: string
  value: string
  /** Next to the copy button. */
  children?: ReactNode
}

/** A secret that is shown once, complete, to be copied. */
export function OneTimeSecret({ label, value, children }: OneTimeSecretProps) {
  const t = useMessages(componentMessages)
  return (
    <Stack gap={14}>
      <Box
        p={10}
        bd="1px solid var(--line)"
        bdrs="md"
        bg="var(--sunken)"
        ff="monospace"
        fz={13}
        style={{ overflowWrap: 'anywhere' }}
        role="textbox"
        aria-readonly="true"
        aria-label={label}
        tabIndex={0}
      >
        {value}
      </Box>
      <Group gap="sm">
        <CopyButton value={value} timeout={1500}>
          {({ copied, copy }) => <Button onClick={copy}>{t(copied ? 'copied' : 'copy')}</Button>}
        </CopyButton>
        {children}
      </Group>
    </Stack>
  )
}
