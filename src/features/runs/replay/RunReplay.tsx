import { Box, Button, Text, Textarea, TextInput } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { appParameterEndpoints } from '#contract/platform/appParameters.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { paths } from '#domain/paths.ts'
import { toResponseMode } from '#domain/platformKeys/responseMode.ts'
import { useRead } from '../../../client/query.ts'
import { InlineForm } from '../../../components/forms/InlineForm.tsx'
import { InputFilesField } from '../inputs/InputFilesField.tsx'
import {
  type FieldErrors,
  type FormValues,
  parseInputs,
  toExtraValues,
  toFormValues,
  toInputFields,
} from '../inputs/inputFields.ts'
import { ANY_FILE_RULE, findFilesError, toFileEntries, toFileInput, toUploadRule } from '../inputs/inputFiles.ts'
import { ChangeMark, FaultText, InputsForm, listChangedFields } from '../inputs/InputsForm.tsx'
import { PendingUploadsContext, usePendingUploads } from '../inputs/pendingUploads.ts'
import { runMessages } from '../detail/messages.ts'
import { ParametersChanged } from '../compare/ChangeLists.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { useCanPinVersion } from '../version/usePinnedVersion.ts'
import { VersionSelect } from '../version/VersionSelect.tsx'
import { ResponseModeControl } from '../inputs/ResponseModeControl.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { runListMessages } from '../list/messages.ts'
import classes from '../page/Run.module.css'
import { startRun } from '../startRun.ts'
import type { Turn } from '../turn.ts'
import { useReplayEdits } from './useReplayEdits.ts'

interface RunReplayProps {
  run_id: string
  turn: Turn
  app: Key
  workspace: string
}

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
    <Box maw={820} mx="auto">
      <InlineForm form={{ submit: replay.send }} label={t('replay')} action={t('replay')}>
        <Text size="sm" c="dimmed">
          {t('replayNote')} {question.conversation_id ? t('replayConversation') : null}
        </Text>
        <ParametersChanged workspace={workspace} app={app.id} since={turn.sent_at} until={{ now: parameters.data }} />
        {parameters.error ? (
          <Text size="sm" c="dimmed">
            {t('noParameters', { reason: parameters.error.problem.message })}
          </Text>
        ) : null}
        {isChat ? (
          <ChangeMark isChanged={query !== question.query}>
            <Textarea
              label={t('question')}
              autosize
              minRows={3}
              maxRows={16}
              maxLength={200_000}
              value={query}
              onChange={(event) => edit({ query: event.currentTarget.value })}
            />
          </ChangeMark>
        ) : null}
        <PendingUploadsContext value={replay.uploads.note}>
          <section aria-label={t('inputs')}>
            <Text component="h2" {...HEADING_STYLE}>
              {t('inputs')}
            </Text>
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
            <ChangeMark isChanged={replay.areFilesChanged}>
              <section aria-label={t('files')}>
                <Text component="h2" {...HEADING_STYLE}>
                  {t('files')}
                </Text>
                <InputFilesField
                  label={t('files')}
                  rule={rule}
                  entries={files}
                  onEntries={(next) => edit({ files: next })}
                  upload={upload}
                />
              </section>
            </ChangeMark>
          ) : null}
        </PendingUploadsContext>
        <ChangeMark isChanged={user !== question.user}>
          <TextInput
            label={formatError('user')}
            description={formatError('userWhy')}
            maxLength={255}
            value={user}
            onChange={(event) => edit({ user: event.currentTarget.value })}
          />
        </ChangeMark>
        <ChangeMark isChanged={replay.version.workflow_id !== question.pinned_workflow_id}>
          <VersionSelect app={app.id} version={replay.version} />
        </ChangeMark>
        <div className={classes.foot}>
          <ResponseModeControl value={mode} onChange={(next) => edit({ mode: next })} apps={[app]} />
          {missingField ? <FaultText>{t(missingField)}</FaultText> : null}
          {replay.uploads.isSendRefused ? <FaultText>{t('uploadsPending')}</FaultText> : null}
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
      </InlineForm>
    </Box>
  )
}

const HEADING_STYLE = { size: 'sm', fw: 550, c: 'dimmed', mb: 'xs' } as const

/** The request of a run with its edits, and the submit action. */
export function useRunReplay({ run_id, turn, app, workspace }: RunReplayProps) {
  const navigate = useNavigate()
  const { question, entry } = turn
  const parameters = useRead(appParameterEndpoints.parameters, { key: app.id })
  const fields = toInputFields(parameters.data)
  const before: FormValues = { ...toFormValues(fields, question.inputs), ...toExtraValues(fields, question.inputs) }
  const sentFiles = question.body.files ? toFileEntries(question.body.files) : []
  const [edits, edit, forget] = useReplayEdits(run_id)
  const { query = question.query, user = question.user, files = sentFiles } = edits
  const mode = toResponseMode(app, edits.mode ?? question.response_mode)
  const { workflow_id = question.pinned_workflow_id } = edits
  const canPin = useCanPinVersion(app)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [missingField, setMissingField] = useState<'needsQuery' | 'needsUser' | 'needsInput' | null>(null)
  const formValues = edits.formValues ?? before
  const rule = toUploadRule(parameters.data) ?? (sentFiles.length > 0 ? ANY_FILE_RULE : null)
  const changed = listChangedFields(fields, before, formValues)
  const isChat = entry === 'chat.send'
  const uploads = usePendingUploads()

  const send = () => {
    if (uploads.refuseSend()) return
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
    const origin = { kind: 'replay', id: null } as const
    const id = startRun(entry, { key: app.id, body, parent: run_id, workflow_id, origin })
    forget()
    void navigate(paths.run(id, { workspace }))
  }
  return {
    parameters,
    fields,
    formValues,
    changed,
    errors,
    missingField,
    isChat,
    query,
    user,
    mode,
    rule,
    files,
    areFilesChanged: JSON.stringify(files) !== JSON.stringify(sentFiles),
    version: {
      canPin: canPin || question.pinned_workflow_id !== null,
      workflow_id,
      setWorkflowId: (next: string | null) => edit({ workflow_id: next }),
    },
    uploads,
    upload: app.offers.includes('uploadFile') ? { key: app.id, user: user.trim() } : null,
    edit,
    editInputs: (next: FormValues) => {
      edit({ formValues: next })
      setErrors({})
      setMissingField(null)
    },
    forget,
    send,
  }
}
