import { Button, Modal, PasswordInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Key, Workspace } from '#contract/console.ts'
import { contract } from '#contract/index.ts'
import fields from '../../ui/fields/Fields.module.css'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useWords } from '../../ui/words.ts'
import { useWrite } from '../../wire/query.ts'
import { workspacesWords } from './messages.ts'

/** A key is typed once and goes to the server; nothing shows it again. */
export function ReplaceKey({
  workspace,
  replaced,
  onClose,
}: {
  workspace: Workspace
  replaced: Key
  onClose: () => void
}) {
  const t = useWords(workspacesWords)
  const update = useWrite(contract.console.updateKey)
  const [key, setKey] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    update.mutate(
      { params: { workspace_id: workspace.id, key_id: replaced.id }, body: { key } },
      { onSuccess: onClose },
    )
  }
  const wrong = update.error?.problem.fields?.find(({ path }) => path === 'body.key')?.message
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('replaceTitle', { label: replaced.label })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <form className={fields.form} onSubmit={submit} noValidate>
        <PasswordInput
          label={t('newKey')}
          description={t('replaceWhy')}
          value={key}
          autoComplete="off"
          data-autofocus
          error={wrong}
          onChange={(event) => setKey(event.currentTarget.value)}
        />
        {update.error && !wrong ? (
          <ProblemNote problem={update.error.problem} what={t('replaceWhat')} isAtForm />
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
    </Modal>
  )
}
