import { Box, Button, Kbd, Paper, Text, TextInput } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { type KeyboardEvent, useState } from 'react'
import { Link } from 'react-router'
import type { AppParameters } from '#contract/platform/appParameters.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { paths } from '#domain/paths.ts'
import { listChangedFields, InputsForm } from '../../runs/inputs/InputsForm.tsx'
import type { InputsEntryName } from '../../runs/runEntries.ts'
import { InputFilesField } from '../../runs/inputs/InputFilesField.tsx'
import { ANY_FILE_RULE, findFilesError, toUploadRule, toFileInput } from '../../runs/inputs/inputFiles.ts'
import { toInputFields, type FieldErrors, parseInputs, toRefusedErrors } from '../../runs/inputs/inputFields.ts'
import { useFocusInvalid } from '../../runs/inputs/useFocusInvalid.ts'
import { PendingUploadsContext, usePendingUploads } from '../../runs/inputs/pendingUploads.ts'
import type { AppRunRequest, InputsDraft } from './useInputsPlayground.ts'
import { isSubmitShortcut, MODIFIER_KEY } from '../../../components/hooks/modifierKey.ts'
import { useOnReady } from '../../../components/hooks/useOnReady.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { runMessages } from '../../runs/detail/messages.ts'
import { VersionSelect } from '../../runs/version/VersionSelect.tsx'
import type { PinnedVersion } from '../../runs/version/usePinnedVersion.ts'
import { ResponseModeControl } from '../../runs/inputs/ResponseModeControl.tsx'
import classes from './Inputs.module.css'
import { inputsPlaygroundMessages } from './messages.ts'
import blocks from '../../../components/layout/Blocks.module.css'

export interface InputsPaneProps {
  entry: InputsEntryName
  app: Key
  parameters: AppParameters | undefined
  /** Why the app's parameters failed to load, with a retry. */
  refusal: { reason: string; retry: () => void } | null
  draft: InputsDraft
  onDraft: (change: Partial<InputsDraft>) => void
  defaultUser: string
  /** The run whose inputs the platform refused, with its words; null for none. */
  refusedRun: { run_id: string; message: string } | null
  onRun: (asked: AppRunRequest, parent: string | null) => void
  version: PinnedVersion
}

/** The form that starts a run: inputs, files, user, mode. */
export function InputsPane(props: InputsPaneProps) {
  const { entry, app, parameters, refusal, draft, onDraft, defaultUser, refusedRun, onRun, version } = props
  const t = useMessages(inputsPlaygroundMessages)
  const tRun = useMessages(runMessages)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [isRunQueued, setRunQueued] = useState(false)
  const [missingInput, setMissingInput] = useState<'needsInput' | 'needsUser' | null>(null)
  const [correctedRun, setCorrectedRun] = useState<string | null>(null)
  const uploads = usePendingUploads()
  const form = useFocusInvalid(errors)
  const fields = toInputFields(parameters)
  const isRefused = refusedRun !== null && refusedRun.run_id !== correctedRun
  const shownErrors = isRefused ? { ...toRefusedErrors(fields, refusedRun.message), ...errors } : errors
  const rule = toUploadRule(parameters) ?? (draft.files.length > 0 ? ANY_FILE_RULE : null)
  const user = (draft.user ?? defaultUser).trim()
  const upload = app.offers.includes('uploadFile') ? { key: app.id, user } : null
  const changed = draft.parent ? listChangedFields(fields, draft.parent.filled, draft.filled) : []

  // A run that is started before the form is known waits for it: required inputs would be missing.
  const isReady = parameters !== undefined || refusal !== null

  const send = () => {
    if (!isReady) return setRunQueued(true)
    if (uploads.refuseSend()) return
    const { inputs, errors: foundErrors } = parseInputs(fields, draft.filled)
    // A workflow may have no inputs; the API requires one for a completion.
    const isEmpty = entry === 'completion.send' && Object.keys(inputs).length === 0
    const missing = user === '' ? 'needsUser' : isEmpty ? 'needsInput' : null
    setErrors(foundErrors)
    setMissingInput(Object.keys(foundErrors).length > 0 ? null : missing)
    if (Object.keys(foundErrors).length > 0 || missing || (rule && findFilesError(rule, draft.files))) return
    const files = rule && draft.files.length > 0 ? { files: draft.files.map(toFileInput) } : {}
    onRun({ inputs, user, response_mode: draft.response_mode, ...files }, draft.parent?.run_id ?? null)
  }
  useOnReady(isReady, () => {
    if (!isRunQueued) return
    setRunQueued(false)
    send()
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isSubmitShortcut(event)) return
    event.preventDefault()
    send()
  }
  return (
    <form
      ref={form}
      className={classes.pane}
      aria-label={t('inputs')}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      onKeyDown={onKeyDown}
    >
      <div className={classes.fields}>
        {draft.parent ? <ParentNote {...draft.parent} onForget={() => onDraft({ parent: null })} /> : null}
        {refusal ? <RefusedParameters {...refusal} /> : null}
        <PendingUploadsContext value={uploads.note}>
          {isReady ? (
            <InputsForm
              fields={fields}
              values={draft.filled}
              onChange={(filled) => {
                onDraft({ filled })
                setErrors({})
                setMissingInput(null)
                setCorrectedRun(refusedRun?.run_id ?? null)
              }}
              errors={shownErrors}
              upload={upload}
              changed={changed}
            />
          ) : null}
          {rule ? (
            <fieldset className={classes.files}>
              <legend>{t('files')}</legend>
              <InputFilesField
                label={t('files')}
                rule={rule}
                entries={draft.files}
                onEntries={(files) => onDraft({ files })}
                upload={upload}
              />
            </fieldset>
          ) : null}
        </PendingUploadsContext>
        <TextInput
          label={tRun('user')}
          description={tRun('userWhy')}
          required
          maxLength={255}
          value={draft.user ?? defaultUser}
          onChange={(event) => onDraft({ user: event.currentTarget.value })}
        />
        <VersionSelect app={app.id} version={version} />
      </div>
      <div className={classes.foot}>
        {missingInput ? (
          <Text flex="1 0 100%" c="var(--failed-fg)" fz="sm" role="alert">
            {t(missingInput)}
          </Text>
        ) : null}
        {uploads.isSendRefused ? (
          <Text flex="1 0 100%" c="var(--failed-fg)" fz="sm" role="alert">
            {t('uploadsPending')}
          </Text>
        ) : null}
        <ResponseModeControl value={draft.response_mode} onChange={(mode) => onDraft({ response_mode: mode })} />
        <span className={classes.keys} title={t('runHint')}>
          <Kbd size="xs">{MODIFIER_KEY}</Kbd> <Kbd size="xs">Enter</Kbd>
        </span>
        <Button type="submit" loading={isRunQueued} leftSection={<IconPlayerPlay size={14} />}>
          {t('run')}
        </Button>
      </div>
    </form>
  )
}

function RefusedParameters({ reason, retry }: NonNullable<InputsPaneProps['refusal']>) {
  const t = useMessages(inputsPlaygroundMessages)
  return (
    <Text c="var(--interrupted-fg)" fz="sm">
      {t('noParameters', { reason })}
      <Button variant="subtle" color="gray" size="compact-xs" onClick={retry}>
        {t('retry')}
      </Button>
    </Text>
  )
}

function ParentNote({ run_id, onForget }: { run_id: string; onForget: () => void }) {
  const t = useMessages(inputsPlaygroundMessages)
  return (
    <Paper component="p" className={blocks.noted} data-tone="mark" radius="md" py="xs" pr={10} c="dimmed" fz="sm">
      {t.rich('madeFrom', {
        run: () => (
          <Box component={Link} ff="monospace" to={paths.run(run_id)}>
            {run_id.slice(0, 8)}
          </Box>
        ),
      })}{' '}
      <Button variant="subtle" color="gray" size="compact-xs" onClick={onForget}>
        {t('forget')}
      </Button>
    </Paper>
  )
}
