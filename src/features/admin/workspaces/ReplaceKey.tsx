import { Button, PasswordInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { workspaceAdminEndpoints } from '#contract/console/admin/workspaceAdmin.ts'
import type { Key, Workspace } from '#contract/console/workspaces.ts'
import { Dialog } from '../../../components/overlays/Dialog.tsx'
import fields from '../../../components/forms/Fields.module.css'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useWrite } from '../../../client/query.ts'
import { workspaceMessages } from './messages.ts'

/** A key is typed once and sent to the server; it is never displayed again. */
export function ReplaceKey({
  workspace,
  replaced,
  onClose,
}: {
  workspace: Workspace
  replaced: Key
  onClose: () => void
}) {
  const t = useMessages(workspaceMessages)
  const update = useWrite(workspaceAdminEndpoints.updateKey)
  const [key, setKey] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    update.mutate(
      { params: { workspace_id: workspace.id, key_id: replaced.id }, body: { key } },
      { onSuccess: onClose },
    )
  }
  const keyError = update.error?.problem.fields?.find(({ path }) => path === 'body.key')?.message
  return (
    <Dialog onClose={onClose} title={t('replaceTitle', { label: replaced.label })}>
      <form className={fields.form} onSubmit={submit} noValidate>
        <PasswordInput
          label={t('newKey')}
          description={t('replaceWhy')}
          value={key}
          autoComplete="off"
          data-autofocus
          error={keyError}
          onChange={(event) => setKey(event.currentTarget.value)}
        />
        {update.error && !keyError ? (
          <ProblemAlert problem={update.error.problem} action={t('replaceWhat')} isInForm />
        ) : null}
        <div className={fields.buttons}>
          <Button type="submit" loading={update.isPending} disabled={key.trim() === ''}>
            {t('replaceDo')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
