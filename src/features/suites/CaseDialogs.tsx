import { Button, Modal, TextInput, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { type Suite, type SuiteCase, suiteEndpoints } from '#contract/console/suites.ts'
import { Can } from '../../client/Can.tsx'
import { useWrite } from '../../client/query.ts'
import fields from '../../components/forms/Fields.module.css'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { DeleteDialog } from '../../components/overlays/DeleteDialog.tsx'
import { suiteMessages } from './messages.ts'

interface CaseDialogProps {
  suite: Suite
  of: SuiteCase
  onClose: () => void
}

/** Changes the question and the tags of a case; the text before stays with the experiments that ran it. */
export function EditCase({ suite, of, onClose }: CaseDialogProps) {
  const t = useMessages(suiteMessages)
  const [query, setQuery] = useState(of.input.query ?? '')
  const [tags, setTags] = useState(of.tags.join(', '))
  const update = useWrite(suiteEndpoints.updateSuiteCase, { onDone: onClose })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const name = of.name === of.input.query ? { name: query.trim().slice(0, 300) } : {}
    update.mutate({
      params: { suite_id: suite.id, case_id: of.id },
      body: { ...name, input: { ...of.input, query: query.trim() }, tags: parseTags(tags) },
    })
  }
  return (
    <Modal opened onClose={onClose} title={t('editCase')} closeButtonProps={{ 'aria-label': t('close') }}>
      <form onSubmit={submit} className={fields.form}>
        <Textarea
          label={t('question')}
          value={query}
          autosize
          minRows={2}
          onChange={(event) => setQuery(event.currentTarget.value)}
          data-autofocus
        />
        <TextInput
          label={t('tagsField')}
          description={t('tagsHelp')}
          value={tags}
          onChange={(event) => setTags(event.currentTarget.value)}
        />
        {update.error ? <ProblemAlert problem={update.error.problem} action={t('saveCaseWhat')} isInForm /> : null}
        <div className={fields.buttons}>
          <Can entry={suiteEndpoints.updateSuiteCase}>
            <Button type="submit" loading={update.isPending} disabled={query.trim() === ''}>
              {t('save')}
            </Button>
          </Can>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

export const parseTags = (text: string): string[] =>
  [...new Set(text.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '')

export function DeleteCase({ suite, of, onClose }: CaseDialogProps) {
  const t = useMessages(suiteMessages)
  const remove = useWrite(suiteEndpoints.deleteSuiteCase, { onDone: onClose })
  return (
    <DeleteDialog
      title={t('deleteCaseTitle', { name: of.name })}
      lost={[t('deleteCaseLost')]}
      kept={[t('deleteCaseKept')]}
      confirmLabel={t('deleteCase')}
      cancelLabel={t('keepCase')}
      isPending={remove.isPending}
      problem={remove.error?.problem}
      action={t('deleteCaseWhat')}
      onDelete={() => remove.mutate({ params: { suite_id: suite.id, case_id: of.id } })}
      onClose={onClose}
    />
  )
}
