import { PasswordInput, Text, TextInput } from '@mantine/core'
import { useWatch } from 'react-hook-form'
import { workspaceAdminEndpoints } from '#contract/console/admin/workspaceAdmin.ts'
import type { Key, Workspace } from '#contract/console/workspaces.ts'
import { FormDialog } from '../../../components/forms/FormDialog.tsx'
import { useContractForm } from '../../../components/forms/useContractForm.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useWrite } from '../../../client/query.ts'
import { workspaceMessages } from './messages.ts'

/** Renames a workspace, or moves it to another URL; its keys stay only on the same host. */
export function EditWorkspace({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const t = useMessages(workspaceMessages)
  const update = useWrite(workspaceAdminEndpoints.updateWorkspace)
  const form = useContractForm({
    schema: workspaceAdminEndpoints.updateWorkspace.body,
    initialValues: { name: workspace.name, base_url: workspace.base_url },
    toBody: ({ name, base_url }) => ({ name, ...(base_url === workspace.base_url ? {} : { base_url }) }),
    send: (body) => update.mutateAsync({ params: { workspace_id: workspace.id }, body }),
    onDone: onClose,
  })
  const base_url = useWatch({ control: form.form.control, name: 'base_url' })
  const count = workspace.keys.length
  const losesKeys = count > 0 && getOrigin(base_url) !== getOrigin(workspace.base_url)
  return (
    <FormDialog
      form={form}
      title={t('editSpaceTitle', { name: workspace.name })}
      submitLabel={t(losesKeys ? 'saveAndDropKeys' : 'saveSpace', { count })}
      action={t('saveSpaceWhat')}
      onClose={onClose}
    >
      <TextInput {...form.field('name')} label={t('name')} maxLength={80} autoComplete="off" data-autofocus />
      <TextInput {...form.field('base_url')} label={t('baseUrl')} description={t('baseUrlHelp')} autoComplete="off" />
      {losesKeys ? (
        <Text role="status" c="var(--text-3)" fz="xs">
          {t('otherOrigin', { count })}
        </Text>
      ) : null}
    </FormDialog>
  )
}

const getOrigin = (url: string): string | null => (URL.canParse(url.trim()) ? new URL(url.trim()).origin : null)

interface ReplaceKeyProps {
  workspace: Workspace
  replaced: Key
  onClose: () => void
}

/** A key is typed once and sent to the server; it is never displayed again. */
export function ReplaceKey({ workspace, replaced, onClose }: ReplaceKeyProps) {
  const t = useMessages(workspaceMessages)
  const update = useWrite(workspaceAdminEndpoints.updateKey)
  const form = useContractForm({
    schema: workspaceAdminEndpoints.updateKey.body,
    initialValues: { key: '' },
    send: (body) => update.mutateAsync({ params: { workspace_id: workspace.id, key_id: replaced.id }, body }),
    onDone: onClose,
  })
  return (
    <FormDialog
      form={form}
      title={t('replaceTitle', { label: replaced.label })}
      submitLabel={t('replaceDo')}
      action={t('replaceWhat')}
      onClose={onClose}
    >
      <PasswordInput
        {...form.field('key')}
        label={t('newKey')}
        description={t('replaceWhy')}
        autoComplete="off"
        data-autofocus
      />
    </FormDialog>
  )
}
