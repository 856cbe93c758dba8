import { Button, Group } from '@mantine/core'
import { FormProvider, useForm, useWatch } from 'react-hook-form'
import { getRequiredAccess } from '#contract/permissions.ts'
import { AnnotationReplySettings, annotationEndpoints } from '#contract/platform/annotations.ts'
import type { Key, Workspace } from '#contract/console/workspaces.ts'
import fields from '../../../components/forms/Fields.module.css'
import { FieldLabel } from '../../../components/forms/FieldLabel.tsx'
import { RangeField } from '../../../components/forms/RangeField.tsx'
import { createBodyResolver } from '../../../components/forms/requestBodyResolver.ts'
import { parseNumberField, parseTextField } from '../../../components/forms/fieldParsers.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { ModelFields, useModels } from '../../knowledge/retrieval/RetrievalFields.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useWrite } from '../../../client/query.ts'
import { annotationMessages } from '../messages.ts'
import type { LastReplySettings } from './annotationReply.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { PermissionNote } from '../../../components/layout/PermissionNote.tsx'
import { DisabledFieldset } from '../../../components/forms/DisabledFieldset.tsx'

interface AnnotationReplySettingsFormProps {
  workspace: Workspace
  app: Key
  /** The settings when it was last enabled. */
  lastSettings: LastReplySettings | null
  /** Whether it is enabled; null where the platform does not report it. Only what changes the state is offered. */
  isOn: boolean | null
  onDone: () => void
}

const DEFAULT_SCORE_THRESHOLD = '0.9'

/** Operation 17. Some platforms require the model to disable too, so the last settings are sent again. */
export function AnnotationReplySettingsForm({
  workspace,
  app,
  lastSettings,
  isOn,
  onDone,
}: AnnotationReplySettingsFormProps) {
  const t = useMessages(annotationMessages)
  const modelListKeyId = workspace.keys.find(
    ({ kind, offers: capabilities }) => kind === 'knowledge' && capabilities.includes('listModels'),
  )?.id
  const models = useModels(modelListKeyId, 'text-embedding')
  const enable = useWrite(annotationEndpoints.reply)
  const disable = useWrite(annotationEndpoints.reply)
  const can = usePermission()(annotationEndpoints.reply)
  const form = useForm({
    defaultValues: toReplyDraft(lastSettings),
    resolver: createBodyResolver(AnnotationReplySettings, toReplyBody),
  })
  const threshold = useWatch({ control: form.control, name: 'score_threshold' })
  const thresholdLevel = toThresholdLevel(threshold)
  const send = (action: 'enable' | 'disable', body: LastReplySettings) =>
    (action === 'enable' ? enable : disable).mutate({ key: app.id, params: { action }, body }, { onSuccess: onDone })
  const set = (value: string) =>
    form.setValue('score_threshold', value, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
  const isInvalid = thresholdLevel === 'out' || thresholdLevel === 'none'
  return (
    <FormProvider {...form}>
      <form
        className={fields.form}
        noValidate
        onSubmit={(event) => void form.handleSubmit((body) => send('enable', body))(event)}
      >
        <DisabledFieldset isDisabled={!can}>
          <RangeField
            label={<FieldLabel name="score_threshold" />}
            description={isInvalid ? undefined : t(`means.${thresholdLevel}`)}
            error={isInvalid ? t(`means.${thresholdLevel}`) : undefined}
            value={threshold}
            onChange={set}
            step={0.01}
            endLabels={[t('ends.all'), t('ends.same')]}
            emptyLabel={t('notGiven')}
            clearLabel={t('clearThreshold')}
          />
          <ModelFields type="annotation" models={models} />
        </DisabledFieldset>
        <p className={fields.note}>{t('modelWhy')}</p>
        {enable.error ? <ProblemAlert problem={enable.error.problem} action={t('enableWhat')} /> : null}
        {disable.error ? <ProblemAlert problem={disable.error.problem} action={t('disableWhat')} /> : null}
        {can ? (
          <>
            {isOn === false ? null : (
              <p className={fields.note}>
                {lastSettings
                  ? t('disableSends', {
                      threshold: lastSettings.score_threshold,
                      model: lastSettings.embedding_model_name || t('notGiven'),
                      provider: lastSettings.embedding_provider_name || t('notGiven'),
                    })
                  : t('disableSendsForm')}
              </p>
            )}
            <Group gap="sm">
              {isOn && !form.formState.isDirty ? null : (
                <Button type="submit" loading={enable.isPending} disabled={isInvalid}>
                  {t(isOn ? 'update' : 'enable')}
                </Button>
              )}
              {isOn === false ? null : (
                <Button
                  variant="default"
                  loading={disable.isPending}
                  onClick={() =>
                    lastSettings
                      ? send('disable', lastSettings)
                      : void form.handleSubmit((body) => send('disable', body))()
                  }
                >
                  {t('disable')}
                </Button>
              )}
            </Group>
          </>
        ) : (
          <PermissionNote {...getRequiredAccess(annotationEndpoints.reply)} />
        )}
      </form>
    </FormProvider>
  )
}

interface AnnotationReplyDraft {
  score_threshold: string
  embedding_provider_name: string
  embedding_model_name: string
}

const toReplyDraft = (lastSettings: LastReplySettings | null): AnnotationReplyDraft => ({
  score_threshold: lastSettings ? String(lastSettings.score_threshold) : DEFAULT_SCORE_THRESHOLD,
  embedding_provider_name: lastSettings?.embedding_provider_name ?? '',
  embedding_model_name: lastSettings?.embedding_model_name ?? '',
})

const toReplyBody = (draft: AnnotationReplyDraft): unknown => ({
  score_threshold: parseNumberField(draft.score_threshold),
  embedding_provider_name: parseTextField(draft.embedding_provider_name),
  embedding_model_name: parseTextField(draft.embedding_model_name),
})

/** Classifies a typed threshold by how similar a question must be. */
function toThresholdLevel(
  thresholdText: string,
): 'none' | 'out' | 'zero' | 'low' | 'middle' | 'high' | 'strict' | 'one' {
  if (thresholdText.trim() === '') return 'none'
  const threshold = Number(thresholdText)
  if (!(threshold >= 0 && threshold <= 1)) return 'out'
  if (threshold === 0) return 'zero'
  if (threshold === 1) return 'one'
  if (threshold < 0.6) return 'low'
  if (threshold < 0.8) return 'middle'
  return threshold < 0.95 ? 'high' : 'strict'
}
