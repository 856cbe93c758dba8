import { componentMessages } from '../i18n/messages.ts'
import { useMessages } from '../i18n/useMessages.ts'
import { EmptyState } from './EmptyState.tsx'

/** Replaces a screen that a person's grants exclude; names the grants that they have in this workspace. */
export function GrantNote({ workspace, grants }: { workspace: string; grants: string }) {
  const t = useMessages(componentMessages)
  return <EmptyState title={t('notGranted', { workspace })}>{t('grantList', { grants })}</EmptyState>
}
