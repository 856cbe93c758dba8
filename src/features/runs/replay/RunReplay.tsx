import { Button, Textarea, TextInput } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { Link } from 'react-router'
import { paths } from '#domain/paths.ts'
import { InputFilesField } from '../inputs/InputFilesField.tsx'
import { InputsForm } from '../inputs/InputsForm.tsx'
import { PendingUploadsContext } from '../inputs/pendingUploads.ts'
import { runMessages } from '../detail/messages.ts'
import { ParametersChanged } from '../compare/ChangeLists.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { VersionSelect } from '../version/VersionSelect.tsx'
import { ResponseModeControl } from '../inputs/ResponseModeControl.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { runListMessages } from '../list/messages.ts'
import classes from '../page/Run.module.css'
import { type RunReplayProps, useRunReplay } from './useRunReplay.ts'

/** The request of a run, editable. Nothing is sent before a submit; the new run stores this one as its parent. */
export function RunReplay(props: RunReplayProps) {
  const { run_id, turn, app, workspace } = props
  const { question } = turn
  const t = useMessages(runListMessages)
  const formatError = useMessages(runMessages)
  const replay = useRunReplay(props)
  const { parameters, fields, formValues, errors, missingField, isChat, query, user, mode, rule, files, upload, edit } =
    replay
  if (parameters.isPending) return <SkeletonRows rows={5} height={60} />
  return (
    <form
      className={classes.replay}
      aria-label={t('replay')}
      noValidate
      onKeyDown={replay.onKeyDown}
      onSubmit={(event) => {
        event.preventDefault()
        replay.send()
      }}
    >
      <p className={classes.note}>
        {t('replayNote')} {question.conversation_id ? t('replayConversation') : null}
      </p>
      <ParametersChanged workspace={workspace} app={app.id} since={turn.sent_at} until={{ now: parameters.data }} />
      {parameters.error ? (
        <p className={classes.note}>{t('noParameters', { reason: parameters.error.problem.message })}</p>
      ) : null}
      {isChat ? (
        <div data-changed={query !== question.query || undefined} className={classes.marked}>
          <Textarea
            label={t('question')}
            autosize
            minRows={3}
            maxRows={16}
            maxLength={200_000}
            value={query}
            onChange={(event) => edit({ query: event.currentTarget.value })}
          />
        </div>
      ) : null}
      <PendingUploadsContext value={replay.uploads.note}>
        <section aria-label={t('inputs')}>
          <h2 className={classes.head}>{t('inputs')}</h2>
          <InputsForm
            fields={fields}
            values={formValues}
            onChange={replay.editInputs}
            errors={errors}
            upload={upload}
            changed={replay.changed}
          />
        </section>
        {rule ? (
          <section
            aria-label={t('files')}
            className={classes.marked}
            data-changed={replay.areFilesChanged || undefined}
          >
            <h2 className={classes.head}>{t('files')}</h2>
            <InputFilesField
              label={t('files')}
              rule={rule}
              entries={files}
              onEntries={(next) => edit({ files: next })}
              upload={upload}
            />
          </section>
        ) : null}
      </PendingUploadsContext>
      <div data-changed={user !== question.user || undefined} className={classes.marked}>
        <TextInput
          label={formatError('user')}
          description={formatError('userWhy')}
          maxLength={255}
          value={user}
          onChange={(event) => edit({ user: event.currentTarget.value })}
        />
      </div>
      <div
        data-changed={replay.version.workflow_id !== question.pinned_workflow_id || undefined}
        className={classes.marked}
      >
        <VersionSelect app={app.id} version={replay.version} />
      </div>
      <div className={classes.foot}>
        <ResponseModeControl value={mode} onChange={(next) => edit({ mode: next })} apps={[app]} />
        {missingField ? (
          <p className={classes.lack} role="alert">
            {t(missingField)}
          </p>
        ) : null}
        {replay.uploads.isSendRefused ? (
          <p className={classes.lack} role="alert">
            {t('uploadsPending')}
          </p>
        ) : null}
        <Button
          variant="default"
          component={Link}
          to={paths.run(run_id, { workspace })}
          ml="auto"
          onClick={replay.forget}
        >
          {t('cancel')}
        </Button>
        <Button type="submit" leftSection={<IconPlayerPlay size={14} />}>
          {t('send')}
        </Button>
      </div>
    </form>
  )
}
