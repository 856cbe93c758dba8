import { TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { type Suite, suiteEndpoints } from '#contract/console/suites.ts'
import { paths } from '#domain/paths.ts'
import { useWrite } from '../../client/query.ts'
import { Dialog } from '../../components/overlays/Dialog.tsx'
import fields from '../../components/forms/Fields.module.css'
import { useIsChanged } from '../../components/hooks/useIsChanged.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { DeleteDialog } from '../../components/overlays/DeleteDialog.tsx'
import { SideDrawer } from '../../components/overlays/SideDrawer.tsx'
import { areComplete, ChecksField } from '../runs/testCase/ChecksField.tsx'
import { suiteMessages } from './messages.ts'
import { SaveButtons } from './SaveButtons.tsx'

interface SuiteDialogProps {
  suite: Suite
  onClose: () => void
}

export function RenameSuite({ suite, onClose }: SuiteDialogProps) {
  const t = useMessages(suiteMessages)
  const [name, setName] = useState(suite.name)
  const update = useWrite(suiteEndpoints.updateSuite, { onDone: onClose })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    update.mutate({ params: { suite_id: suite.id }, body: { name: name.trim() } })
  }
  return (
    <Dialog onClose={onClose} title={t('renameSuite')}>
      <form onSubmit={submit} className={fields.form}>
        <TextInput
          label={t('name')}
          value={name}
          maxLength={120}
          data-autofocus
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {update.error ? <ProblemAlert problem={update.error.problem} action={t('renameWhat')} isInForm /> : null}
        <SaveButtons
          entry={suiteEndpoints.updateSuite}
          isPending={update.isPending}
          isDisabled={name.trim() === ''}
          onClose={onClose}
        />
      </form>
    </Dialog>
  )
}

/** The checks of every case, in addition to those of the case itself. */
export function SuiteChecks({ suite, onClose }: SuiteDialogProps) {
  const t = useMessages(suiteMessages)
  const [checks, setChecks] = useState(suite.checks)
  const isDirty = useIsChanged(checks)
  const [wasSubmitted, setSubmitted] = useState(false)
  const update = useWrite(suiteEndpoints.updateSuite, { onDone: onClose })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setSubmitted(true)
    if (areComplete(checks)) update.mutate({ params: { suite_id: suite.id }, body: { checks } })
  }
  return (
    <SideDrawer title={t('checksOfSuite')} onClose={onClose} isDirty={isDirty}>
      <form onSubmit={submit} className={fields.form} noValidate>
        <ChecksField
          workspace={suite.workspace}
          target={suite.target}
          checks={checks}
          onChange={setChecks}
          showsErrors={wasSubmitted}
        />
        {update.error ? <ProblemAlert problem={update.error.problem} action={t('saveChecksWhat')} isInForm /> : null}
        <SaveButtons entry={suiteEndpoints.updateSuite} isPending={update.isPending} onClose={onClose} />
      </form>
    </SideDrawer>
  )
}

export function DeleteSuite({ suite, onClose }: SuiteDialogProps) {
  const t = useMessages(suiteMessages)
  const navigate = useNavigate()
  const remove = useWrite(suiteEndpoints.deleteSuite, {
    onDone: () => void navigate(paths.suites({ workspace: suite.workspace })),
  })
  return (
    <DeleteDialog
      title={t('deleteTitle', { name: suite.name })}
      lost={[t('caseCount', { n: suite.cases }), t('deleteLostExperiments')]}
      kept={[t('deleteKept')]}
      confirmLabel={t('deleteSuite')}
      cancelLabel={t('keepSuite')}
      isPending={remove.isPending}
      problem={remove.error?.problem}
      action={t('deleteWhat')}
      onDelete={() => remove.mutate({ params: { suite_id: suite.id } })}
      onClose={onClose}
    />
  )
}
