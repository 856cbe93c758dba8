import { Button, NativeSelect, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { type BatchLimits, DEFAULT_BATCH_LIMITS } from '#contract/console/batches.ts'
import { MAX_REPETITIONS, type Suite, suiteEndpoints } from '#contract/console/suites.ts'
import { Can } from '../../../client/Can.tsx'
import { Dialog } from '../../../components/overlays/Dialog.tsx'
import fields from '../../../components/forms/Fields.module.css'
import { RequiredNumberField } from '../../../components/forms/NumberField.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { BatchLimitFields } from '../../batches/BatchLimitFields.tsx'
import { suiteMessages } from '../messages.ts'
import { useExperimentStart } from '../../knowledge/retrieval/useExperimentStart.ts'
import { useAppsOfKind, useExperimentDefaults } from '../useExperimentDefaults.ts'

interface RunExperimentProps {
  suite: Suite
  onStarted: (experiment_id: string) => void
  onClose: () => void
}

const DRY_RUN_ROWS = 3

/** An experiment with repetitions, a version and caps; or three cases of it first. */
export function RunExperiment({ suite, onStarted, onClose }: RunExperimentProps) {
  const t = useMessages(suiteMessages)
  const [repetitions, setRepetitions] = useState(1)
  const [version, setVersion] = useState('')
  const apps = useAppsOfKind(suite)
  const [app, setApp] = useState(suite.about)
  const [limits, setLimits] = useState<BatchLimits>(DEFAULT_BATCH_LIMITS)
  const { body, canRun } = useExperimentDefaults(suite)
  const create = useExperimentStart(suite, {
    onDone: ({ id }) => {
      onStarted(id)
      onClose()
    },
  })
  const hasVersions = suite.target === 'workflow' || suite.target === 'chat'
  const start = (only?: number) =>
    create.start({
      ...body,
      ...limits,
      repetitions,
      ...(apps.length > 1 ? { key: app } : {}),
      ...(version.trim() === '' ? {} : { workflow_id: version.trim() }),
      ...(only ? { only } : {}),
    })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    start()
  }
  return (
    <Dialog onClose={onClose} title={t('runWith')} size="lg">
      <form onSubmit={submit} className={fields.form}>
        <div className={fields.row}>
          <RequiredNumberField
            label={t('repetitions')}
            description={t('repetitionsHelp')}
            number={repetitions}
            min={1}
            max={MAX_REPETITIONS}
            allowDecimal={false}
            onNumber={setRepetitions}
          />
          {hasVersions ? (
            <TextInput
              label={t('version')}
              description={t('versionHelp')}
              value={version}
              maxLength={255}
              autoComplete="off"
              onChange={(event) => setVersion(event.currentTarget.value)}
            />
          ) : null}
        </div>
        {apps.length > 1 ? (
          <NativeSelect
            label={t('app')}
            description={t('testedAppHelp')}
            value={app}
            data={apps.map(({ id, label }) => ({ value: id, label }))}
            onChange={(event) => setApp(event.currentTarget.value)}
          />
        ) : null}
        <BatchLimitFields limits={limits} onLimits={setLimits} />
        {create.error ? <ProblemAlert problem={create.error.problem} action={t('runWhat')} isInForm /> : null}
        <div className={fields.buttons}>
          <Can entry={suiteEndpoints.createExperiment}>
            <Button type="submit" loading={create.isPending} disabled={!canRun}>
              {t('runSuite')}
            </Button>
            <Button variant="default" disabled={!canRun || create.isPending} onClick={() => start(DRY_RUN_ROWS)}>
              {t('dryRun')}
            </Button>
          </Can>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
