import { Button, Textarea, TextInput } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { type KeyboardEvent, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Key } from '#contract/console/consoleEndpoints.ts'
import { contract } from '#contract/index.ts'
import { paths } from '#domain/paths.ts'
import { listChangedFields } from '../inputs/changedFields.ts'
import { RUN_ENTRIES } from '../runEntries.ts'
import { toFileEntries, findFilesError, type FileRule, toUploadRule, toFileInput } from '../inputs/inputFiles.ts'
import { InputFilesField } from '../inputs/InputFilesField.tsx'
import {
  toExtraValues,
  toInputFields,
  type FieldErrors,
  type FormValues,
  toFormValues,
  parseInputs,
} from '../inputs/inputFields.ts'
import { InputsForm } from '../inputs/InputsForm.tsx'
import { runMessages } from '../detail/messages.ts'
import { ParametersChanged } from '../compare/ParametersChanged.tsx'
import type { Turn } from '../turn.ts'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { useRead } from '../../../client/query.ts'
import { runStore } from '../../../client/useRun.ts'
import { useReplayEdits } from './useReplayEdits.ts'
import { ResponseModeControl } from '../inputs/ResponseModeControl.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { runListMessages } from '../list/messages.ts'
import classes from '../page/Run.module.css'

export interface RunReplayProps {
  run_id: string
  turn: Turn
  app: Key
  workspace: string
}

/** A file that the app does not name a rule for is sent as it was. */
const ANY_FILE_RULE: FileRule = { types: [], extensions: [], methods: [], maxFiles: null, maxMegabytesByType: {} }

/** The request of a run once more, to be edited. Nothing is sent before one sends it; the new run keeps this one as its parent. */
export function RunReplay({ run_id, turn, app, workspace }: RunReplayProps) {
  const t = useMessages(runListMessages)
  const formatError = useMessages(runMessages)
  const navigate = useNavigate()
  const { question, entry } = turn
  const parameters = useRead(contract.workflows.parameters, { key: app.id })
  const fields = toInputFields(parameters.data)
  const before: FormValues = { ...toFormValues(fields, question.inputs), ...toExtraValues(fields, question.inputs) }
  const sentFiles = question.body.files ? toFileEntries(question.body.files) : []
  const [edits, edit, forget] = useReplayEdits(run_id)
  const { query = question.query, user = question.user, mode = question.response_mode, files = sentFiles } = edits
  const [errors, setErrors] = useState<FieldErrors>({})
  const [missingField, setMissingField] = useState<'needsQuery' | 'needsUser' | 'needsInput' | null>(null)
  const formValues = edits.formValues ?? before
  const rule = toUploadRule(parameters.data) ?? (sentFiles.length > 0 ? ANY_FILE_RULE : null)
  const changed = listChangedFields(fields, before, formValues)
  const isChat = entry === 'chat.send'

  const send = () => {
    const { inputs, errors: parsedInputs } = parseInputs(fields, formValues)
    const isEmpty = entry === 'completion.send' && Object.keys(inputs).length === 0
    const missing =
      isChat && query.trim() === '' ? 'needsQuery' : user.trim() === '' ? 'needsUser' : isEmpty ? 'needsInput' : null
    setErrors(parsedInputs)
    setMissingField(missing)
    if (Object.keys(parsedInputs).length > 0 || missing || (rule && findFilesError(rule, files))) return
    const { files: _files, ...keptBody } = question.body
    const body = {
      ...keptBody,
      ...(isChat ? { query } : {}),
      ...(files.length > 0 ? { files: files.map(toFileInput) } : {}),
      inputs,
      user: user.trim(),
      response_mode: mode,
    }
    const id = runStore.start(RUN_ENTRIES[entry], { key: app.id, body, parent: run_id } as Parameters<
      typeof runStore.start
    >[1])
    forget()
    void navigate(paths.run(id, { workspace }))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  if (parameters.isPending) return <SkeletonRows rows={5} height={60} />
  const upload = app.offers.includes('uploadFile') ? { key: app.id, user: user.trim() } : null
  return (
    <form
      className={classes.replay}
      aria-label={t('replay')}
      noValidate
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault()
        send()
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
      <section aria-label={t('inputs')}>
        <h2 className={classes.head}>{t('inputs')}</h2>
        <InputsForm
          fields={fields}
          values={formValues}
          onChange={(next) => {
            edit({ formValues: next })
            setErrors({})
            setMissingField(null)
          }}
          errors={errors}
          upload={upload}
          changed={changed}
        />
      </section>
      {rule ? (
        <section
          aria-label={t('files')}
          className={classes.marked}
          data-changed={JSON.stringify(files) !== JSON.stringify(sentFiles) || undefined}
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
      <div data-changed={user !== question.user || undefined} className={classes.marked}>
        <TextInput
          label={formatError('user')}
          description={formatError('userWhy')}
          maxLength={255}
          value={user}
          onChange={(event) => edit({ user: event.currentTarget.value })}
        />
      </div>
      <div className={classes.foot}>
        <ResponseModeControl value={mode} onChange={(next) => edit({ mode: next })} />
        {missingField ? (
          <p className={classes.lack} role="alert">
            {t(missingField)}
          </p>
        ) : null}
        <Button variant="default" component={Link} to={paths.run(run_id, { workspace })} ml="auto" onClick={forget}>
          {t('cancel')}
        </Button>
        <Button type="submit" leftSection={<IconPlayerPlay size={14} />}>
          {t('send')}
        </Button>
      </div>
    </form>
  )
}
