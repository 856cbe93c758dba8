import { Button, NativeSelect, TextInput } from '@mantine/core'
import { DEFAULT_BATCH_LIMITS } from '#contract/console/batches.ts'
import { MAX_REPETITIONS, type Suite, suiteEndpoints } from '#contract/console/suites.ts'
import { usePermission } from '../../../client/usePermission.ts'
import fields from '../../../components/forms/Fields.module.css'
import { FormDialog } from '../../../components/forms/FormDialog.tsx'
import { RequiredNumberField } from '../../../components/forms/NumberField.tsx'
import { useContractForm } from '../../../components/forms/useContractForm.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { BatchLimitFields } from '../../batches/BatchLimitFields.tsx'
import { useExperimentStart } from '../../knowledge/retrieval/useExperimentStart.ts'
import { suiteMessages } from '../messages.ts'
import { useAppsOfKind, useExperimentDefaults } from '../useExperimentDefaults.ts'

interface RunExperimentProps {
  suite: Suite
  onStarted: (experiment_id: string) => void
  onClose: () => void
}

export const DRY_RUN_ROWS = 3

/** An experiment with repetitions, a version and caps; or three cases of it first. */
export function RunExperiment({ suite, onStarted, onClose }: RunExperimentProps) {
  const t = useMessages(suiteMessages)
  const can = usePermission()(suiteEndpoints.createExperiment)
  const apps = useAppsOfKind(suite)
  const { body: defaults, canRun } = useExperimentDefaults(suite)
  const { send } = useExperimentStart(suite)
  const form = useContractForm({
    schema: suiteEndpoints.createExperiment.body,
    initialValues: { repetitions: 1, workflow_id: '', key: suite.about, limits: DEFAULT_BATCH_LIMITS },
    toBody: ({ repetitions, workflow_id, key, limits }) => ({
      ...defaults,
      ...limits,
      repetitions,
      ...(apps.length > 1 ? { key } : {}),
      ...(workflow_id.trim() === '' ? {} : { workflow_id }),
    }),
    send: (body, button) => send(button === 'dryRun' ? { ...body, only: DRY_RUN_ROWS } : body),
    onDone: ({ id }) => {
      onStarted(id)
      onClose()
    },
  })
  const repetitions = form.controlled('repetitions')
  const limits = form.controlled('limits')
  return (
    <FormDialog
      form={form}
      title={t('runWith')}
      size="lg"
      submitLabel={can ? t('runSuite') : null}
      isSubmitDisabled={!canRun}
      action={t('runWhat')}
      onClose={onClose}
      buttons={
        can ? (
          <Button type="submit" variant="default" value="dryRun" disabled={!canRun || form.isPending}>
            {t('dryRun')}
          </Button>
        ) : null
      }
    >
      <div className={fields.row}>
        <RequiredNumberField
          name="repetitions"
          label={t('repetitions')}
          description={t('repetitionsHelp')}
          error={repetitions.error}
          number={repetitions.value}
          min={1}
          max={MAX_REPETITIONS}
          allowDecimal={false}
          onNumber={repetitions.onChange}
        />
        {suite.target === 'workflow' || suite.target === 'chat' ? (
          <TextInput
            {...form.field('workflow_id')}
            label={t('version')}
            description={t('versionHelp')}
            maxLength={255}
            autoComplete="off"
          />
        ) : null}
      </div>
      {apps.length > 1 ? (
        <NativeSelect
          {...form.field('key')}
          label={t('app')}
          description={t('testedAppHelp')}
          data={apps.map(({ id, label }) => ({ value: id, label }))}
        />
      ) : null}
      <BatchLimitFields limits={limits.value} onLimits={limits.onChange} />
    </FormDialog>
  )
}
