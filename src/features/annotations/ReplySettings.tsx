import { Button, TextInput } from '@mantine/core'
import { FormProvider, useForm, useWatch } from 'react-hook-form'
import { AnnotationReply } from '#contract/annotations.ts'
import type { Key, Workspace } from '#contract/console.ts'
import { contract } from '#contract/index.ts'
import fields from '../../ui/fields/Fields.module.css'
import { RangeField } from '../../ui/fields/RangeField.tsx'
import { resolverOf } from '../../ui/fields/resolver.ts'
import { numberOf, textOf } from '../../ui/fields/typed.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { ModelFields } from '../../ui/retrieval/ModelFields.tsx'
import { useWords } from '../../ui/words.ts'
import { useWrite } from '../../wire/query.ts'
import { useModels } from '../../wire/useModels.ts'
import classes from './Annotations.module.css'
import { meaningOf } from './meaning.ts'
import { annotationsWords } from './messages.ts'
import type { Settings } from './replyCalls.ts'
import { useMay } from '../../wire/useMay.ts'
import { RoleNote } from '../../ui/RoleNote.tsx'
import { Locked } from '../../ui/fields/Locked.tsx'

export interface ReplySettingsProps {
  workspace: Workspace
  app: Key
  /** What it was enabled with the last time. */
  used: Settings | null
  onDone: () => void
}

const THRESHOLD = '0.9'

/** Operation 17. Some platforms ask for the model to disable too, so what was used to enable is sent again. */
export function ReplySettings({ workspace, app, used, onDone }: ReplySettingsProps) {
  const t = useWords(annotationsWords)
  const listedBy = workspace.keys.find(({ kind, offers }) => kind === 'knowledge' && offers.includes('listModels'))?.id
  const models = useModels(listedBy, 'text-embedding')
  const enable = useWrite(contract.annotations.reply)
  const disable = useWrite(contract.annotations.reply)
  const may = useMay()(contract.annotations.reply)
  const form = useForm({
    defaultValues: typedOf(used),
    resolver: resolverOf(AnnotationReply, bodyOf),
  })
  const threshold = useWatch({ control: form.control, name: 'score_threshold' })
  const meaning = meaningOf(threshold)
  const send = (action: 'enable' | 'disable', body: Settings) =>
    (action === 'enable' ? enable : disable).mutate({ key: app.id, params: { action }, body }, { onSuccess: onDone })
  const set = (value: string) =>
    form.setValue('score_threshold', value, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
  const isWrong = meaning === 'out' || meaning === 'none'
  return (
    <FormProvider {...form}>
      <form
        className={fields.form}
        noValidate
        onSubmit={(event) => void form.handleSubmit((body) => send('enable', body))(event)}
      >
        <Locked when={!may}>
          <div className={classes.threshold}>
            <RangeField
              label="score_threshold"
              description={isWrong ? undefined : t(`means.${meaning}`)}
              error={isWrong ? t(`means.${meaning}`) : undefined}
              value={meaning === 'out' ? '' : threshold}
              onChange={set}
              step={0.01}
              ends={[t('ends.all'), t('ends.same')]}
              empty={t('empty')}
              clear={t('clearThreshold')}
            />
            <TextInput
              label={t('threshold')}
              inputMode="decimal"
              value={threshold}
              error={isWrong}
              onChange={(event) => set(event.currentTarget.value)}
            />
          </div>
          <ModelFields type="annotation" models={models} />
        </Locked>
        <p className={fields.note}>{t('modelWhy')}</p>
        {enable.error ? <ProblemNote problem={enable.error.problem} what={t('enableWhat')} /> : null}
        {disable.error ? <ProblemNote problem={disable.error.problem} what={t('disableWhat')} /> : null}
        {may ? (
          <>
            <p className={fields.note}>
              {used
                ? t('disableSends', {
                    threshold: used.score_threshold,
                    model: used.embedding_model_name ?? t('notGiven'),
                    provider: used.embedding_provider_name ?? t('notGiven'),
                  })
                : t('disableSendsForm')}
            </p>
            <div className={classes.deeds}>
              <Button type="submit" loading={enable.isPending} disabled={isWrong}>
                {t('enable')}
              </Button>
              <Button
                variant="default"
                loading={disable.isPending}
                onClick={() =>
                  used ? send('disable', used) : void form.handleSubmit((body) => send('disable', body))()
                }
              >
                {t('disable')}
              </Button>
            </div>
          </>
        ) : (
          <RoleNote entry={contract.annotations.reply} />
        )}
      </form>
    </FormProvider>
  )
}

interface Typed {
  score_threshold: string
  embedding_provider_name: string
  embedding_model_name: string
}

const typedOf = (used: Settings | null): Typed => ({
  score_threshold: used ? String(used.score_threshold) : THRESHOLD,
  embedding_provider_name: used?.embedding_provider_name ?? '',
  embedding_model_name: used?.embedding_model_name ?? '',
})

const bodyOf = (typed: Typed): unknown => ({
  score_threshold: numberOf(typed.score_threshold),
  embedding_provider_name: textOf(typed.embedding_provider_name),
  embedding_model_name: textOf(typed.embedding_model_name),
})
