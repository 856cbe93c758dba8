import { Button, Flex, Stack, Text } from '@mantine/core'
import type { Person } from '#contract/console/access.ts'
import { Logo } from '../../../components/layout/Logo.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { accountMessages } from './messages.ts'
import { PasswordForm } from './PasswordForm.tsx'
import { useSignOut } from '../../../client/useSignOut.ts'

/** Shown after a sign-in link until the person has set a password; nothing else is accessible before. */
export function ChoosePassword({ person }: { person: Person }) {
  const t = useMessages(accountMessages)
  const signOut = useSignOut()
  return (
    <Flex component="main" justify="center" h="100%" px="lg" py="xl" bg="var(--surface)" style={{ overflow: 'auto' }}>
      <Stack w="min(400px, 100%)" my="auto">
        <Logo size={30} />
        <Text component="h1" fz={24} fw={600}>
          {t('choose')}
        </Text>
        <Text c="dimmed">{t('chooseText')}</Text>
        <PasswordForm person={person} hasPassword={false} />
        <Button variant="subtle" color="gray" w="fit-content" onClick={signOut}>
          {t('leave')}
        </Button>
      </Stack>
    </Flex>
  )
}
