import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { workspaceAdminEndpoints } from '#contract/console/admin/workspaceAdmin.ts'
import type { Workspace } from '#contract/console/workspaces.ts'
import { Dialog } from '../../../components/overlays/Dialog.tsx'
import fields from '../../../components/forms/Fields.module.css'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useWrite } from '../../../client/query.ts'
import { workspaceMessages } from './messages.ts'

/** Renames a workspace, or moves it to another URL; its keys stay only on the same host. */
export function EditWorkspace({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const t = useMessages(workspaceMessages)
  const update = useWrite(workspaceAdminEndpoints.updateWorkspace)
  const [name, setName] = useState(workspace.name)
  const [base_url, setBaseUrl] = useState(workspace.base_url)
  const problem = update.error?.problem
  const getError = (field: string) => problem?.fields?.find(({ path }) => path === `body.${field}`)?.message
  const isOtherOrigin = getOrigin(base_url) !== getOrigin(workspace.base_url)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const body = { name: name.trim(), ...(base_url === workspace.base_url ? {} : { base_url: base_url.trim() }) }
    update.mutate({ params: { workspace_id: workspace.id }, body }, { onSuccess: onClose })
  }
  return (
    <Dialog onClose={onClose} title={t('editSpaceTitle', { name: workspace.name })}>
      <form className={fields.form} onSubmit={submit} noValidate autoComplete="off">
        <TextInput
          label={t('name')}
          value={name}
          maxLength={80}
          error={getError('name')}
          data-autofocus
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label={t('baseUrl')}
          description={t('baseUrlHelp')}
          value={base_url}
          error={getError('base_url')}
          onChange={(event) => setBaseUrl(event.currentTarget.value)}
        />
        {isOtherOrigin && workspace.keys.length > 0 ? (
          <p className={fields.note} role="status">
            {t('otherOrigin', { count: workspace.keys.length })}
          </p>
        ) : null}
        {problem && !problem.fields ? <ProblemAlert problem={problem} action={t('saveSpaceWhat')} isInForm /> : null}
        <div className={fields.buttons}>
          <Button type="submit" loading={update.isPending} disabled={name.trim() === '' || base_url.trim() === ''}>
            {t(isOtherOrigin && workspace.keys.length > 0 ? 'saveAndDropKeys' : 'saveSpace', {
              count: workspace.keys.length,
            })}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const getOrigin = (url: string): string | null => (URL.canParse(url.trim()) ? new URL(url.trim()).origin : null)
