import { Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { type Suite, type SuiteCase, suiteEndpoints } from '#contract/console/suites.ts'
import { useWrite } from '../../client/query.ts'
import fields from '../../components/forms/Fields.module.css'
import { useIsChanged } from '../../components/hooks/useIsChanged.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { DeleteDialog } from '../../components/overlays/DeleteDialog.tsx'
import { SideDrawer } from '../../components/overlays/SideDrawer.tsx'
import { areComplete, ChecksField } from '../runs/testCase/ChecksField.tsx'
import { CaseLabelFields, toLabelDraft, toLabels } from './cases/CaseLabelFields.tsx'
import { suiteMessages } from './messages.ts'
import { SaveButtons } from './SaveButtons.tsx'
import { truncateText } from '#contract/truncatedText.ts'

interface CaseDialogProps {
  suite: Suite
  of: SuiteCase
  onClose: () => void
}

/** Changes a case of a retrieval; what it expects is chosen in the retrieval test; the text before stays with the experiments that ran it. */
export function EditCase({ suite, of, onClose }: CaseDialogProps) {
  const t = useMessages(suiteMessages)
  const [query, setQuery] = useState(of.input.query ?? '')
  const [checks, setChecks] = useState(of.checks)
  const [labels, setLabels] = useState(() => toLabelDraft(of))
  const [wasSubmitted, setSubmitted] = useState(false)
  const isDirty = useIsChanged([query, checks, labels])
  const update = useWrite(suiteEndpoints.updateSuiteCase, { onDone: onClose })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setSubmitted(true)
    if (!areComplete(checks)) return
    const name = of.name === of.input.query ? { name: truncateText(query.trim(), 300) } : {}
    update.mutate({
      params: { suite_id: suite.id, case_id: of.id },
      body: { ...name, input: { ...of.input, query: query.trim() }, checks, ...toLabels(labels) },
    })
  }
  return (
    <SideDrawer title={t('editCase')} onClose={onClose} isDirty={isDirty}>
      <form onSubmit={submit} className={fields.form} noValidate>
        <Textarea
          label={t('question')}
          value={query}
          autosize
          minRows={2}
          onChange={(event) => setQuery(event.currentTarget.value)}
          data-autofocus
        />
        <ChecksField
          workspace={suite.workspace}
          target={suite.target}
          checks={checks}
          onChange={setChecks}
          showsErrors={wasSubmitted}
        />
        <CaseLabelFields labels={labels} onChange={setLabels} />
        {update.error ? <ProblemAlert problem={update.error.problem} action={t('saveCaseWhat')} isInForm /> : null}
        <SaveButtons
          entry={suiteEndpoints.updateSuiteCase}
          isPending={update.isPending}
          isDisabled={query.trim() === ''}
          onClose={onClose}
        />
      </form>
    </SideDrawer>
  )
}

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
