import { Box, Button } from '@mantine/core'
import { IconAdjustmentsHorizontal, IconArrowUp, IconHandStop, IconPaperclip } from '@tabler/icons-react'
import { type ReactNode, useId, type KeyboardEvent, type RefObject, useState } from 'react'
import chip from '../../../runs/inputs/InputControl.module.css'
import { MODIFIER_KEY, isSubmitShortcut } from '../../../../components/hooks/modifierKey.ts'
import { VersionSelect } from '../../../runs/version/VersionSelect.tsx'
import { ResponseModeControl } from '../../../runs/inputs/ResponseModeControl.tsx'
import classes from './Composer.module.css'
import { LazyInputFilesField } from '../../../runs/inputs/InputControl.tsx'
import { InputControl } from '../../../runs/inputs/InputControl.tsx'
import { PendingUploadsContext, usePendingUploads } from '../../../runs/inputs/pendingUploads.ts'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { chatMessages } from '../messages.ts'
import { useMediaQuery } from '@mantine/hooks'
import type { Key } from '#contract/console/workspaces.ts'
import { isPlainEnter, useEnterSends } from '../../../../components/hooks/useEnterSends.ts'
import { runStore, useRunEnd } from '../../../../client/useRun.ts'
import type { ComposerDraft, ComposerDraftChange } from './composerDraft.ts'
import { formatFieldError } from '../../../runs/inputs/inputFields.ts'
import { findFilesError, type FileRule, toFileInput } from '../../../runs/inputs/inputFiles.ts'
import {
  type InputField,
  type FieldErrors,
  toFormValues,
  parseInputs,
  toRefusedErrors,
} from '../../../runs/inputs/inputFields.ts'
import { inputMessages } from '../../../runs/inputs/messages.ts'
import type { PinnedVersion } from '../../../runs/version/usePinnedVersion.ts'
import { useOnReady } from '../../../../components/hooks/useOnReady.ts'

/**
 * The direction of the first strong character, like `dir="auto"`, which makes layout ten times slower in Chromium for
 * long text.
 */
const getTextDirection = (text: string) => (/^\P{L}*[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(text) ? 'rtl' : 'ltr')

/** The message composer: text, app inputs, user and mode. */
export function Composer(props: ComposerProps) {
  const { draft, onDraft, fileRule, inputRef } = props
  const t = useMessages(chatMessages)
  const filesId = useId()
  const composer = useComposer(props)
  const { areFilesShown, hasFilesField, rule, upload, uploads, isWaiting } = composer
  return (
    <form
      className={classes.composer}
      onSubmit={(event) => {
        event.preventDefault()
        composer.send()
      }}
      onKeyDown={composer.onKeyDown}
    >
      <PendingUploadsContext value={uploads.note}>
        <ComposerInputs composerProps={props} composer={composer} />
        <textarea
          ref={inputRef}
          className={classes.field}
          aria-label={t('yourQuestion')}
          placeholder={t('yourQuestion')}
          rows={2}
          maxLength={200_000}
          dir={getTextDirection(draft.query)}
          value={draft.query}
          readOnly={isWaiting}
          onChange={(event) => onDraft({ query: event.currentTarget.value })}
        />
        {isWaiting ? (
          <Box component="p" px="md" pb={4} c="var(--running-fg)" fz="sm" role="status">
            {t('waits')}
          </Box>
        ) : null}
        {/* Stays mounted while folded, so that uploads continue. */}
        <div id={filesId} className={classes.files} hidden={!areFilesShown}>
          {fileRule ? null : <InputsNote>{t('noFileInputs')}</InputsNote>}
          {hasFilesField ? (
            <LazyInputFilesField
              label={t('files')}
              rule={rule}
              entries={draft.files}
              onEntries={(files) => onDraft({ files })}
              upload={upload}
            />
          ) : null}
        </div>
      </PendingUploadsContext>
      {uploads.hasPending ? (
        <Box component="p" px="md" pb={4} c="var(--running-fg)" fz="sm" role="status">
          {t('uploadsPending')}
        </Box>
      ) : null}
      <ComposerFooter composerProps={props} composer={composer} filesId={filesId} />
    </form>
  )
}

interface ComposerSectionProps {
  composerProps: ComposerProps
  composer: ComposerState
}

/** The app's inputs and the user, foldable, with their errors. */
function ComposerInputs({ composerProps, composer }: ComposerSectionProps) {
  const { draft, onDraft, conversationUser, conversation, parametersError } = composerProps
  const { user, formValues, visibleFields, fieldErrors, areInputsShown, showInputs, upload, uploads } = composer
  const t = useMessages(chatMessages)
  const form = useId()
  return (
    <div className={classes.form}>
      <button
        type="button"
        className={classes.toggle}
        aria-expanded={areInputsShown}
        aria-controls={form}
        onClick={() => showInputs(!areInputsShown)}
      >
        <IconAdjustmentsHorizontal size={15} aria-hidden />
        {t('inputs')}
      </button>
      {/* Stays mounted while a file uploads, so that its question waits for it. */}
      {areInputsShown || uploads.hasPending ? (
        <div id={form} className={classes.controls} hidden={!areInputsShown}>
          {visibleFields.map((inputField) => (
            <InputControl
              key={inputField.variable}
              field={inputField}
              value={formValues[inputField.variable] ?? inputField.initial}
              error={fieldErrors.find(({ variable }) => variable === inputField.variable)?.text}
              onChange={(value) =>
                onDraft(({ formValues }) => ({ formValues: { ...formValues, [inputField.variable]: value } }))
              }
              upload={upload}
            />
          ))}
          <label className={chip.chip} title={t('userWhy')}>
            <span className={chip.chipName}>{t('user')}</span>
            <input
              type="text"
              required
              maxLength={255}
              size={Math.min(28, Math.max(8, user.length + 1))}
              value={user}
              onChange={(event) => onDraft({ user: event.currentTarget.value })}
            />
          </label>
          {conversation === null ? (
            <label className={chip.chip} title={t('autoNameWhy')}>
              <span className={chip.chipName}>auto_generate_name</span>
              <input
                type="checkbox"
                checked={draft.auto_generate_name}
                onChange={(event) => onDraft({ auto_generate_name: event.currentTarget.checked })}
              />
            </label>
          ) : null}
        </div>
      ) : null}
      {fieldErrors.length > 0 ? (
        <Box component="ul" role="alert" flex="1 0 100%" c="var(--failed-fg)" fz="sm">
          {fieldErrors.map(({ variable, text }) => (
            <Box component="li" key={variable} display="block">
              {text}
            </Box>
          ))}
        </Box>
      ) : null}
      {parametersError ? (
        <InputsNote>
          {t('noParameters', { reason: parametersError.reason })}{' '}
          <Button variant="subtle" color="gray" size="compact-xs" onClick={parametersError.retry}>
            {t('retry')}
          </Button>
        </InputsNote>
      ) : null}
      {conversationUser && user.trim() !== conversationUser ? (
        <InputsNote>{t('otherUser', { user: conversationUser })}</InputsNote>
      ) : null}
    </div>
  )
}

function InputsNote({ children }: { children: ReactNode }) {
  return (
    <Box component="p" flex="1 0 100%" c="var(--interrupted-fg)" fz="sm">
      {children}
    </Box>
  )
}

function ComposerFooter({ composerProps, composer, filesId }: ComposerSectionProps & { filesId: string }) {
  const { app, draft, onDraft, pendingRunId, version } = composerProps
  const { areFilesShown, showFiles, isWaiting, canSend, enterSends, setEnterSends } = composer
  const t = useMessages(chatMessages)
  return (
    <div className={classes.foot}>
      <Button
        variant="subtle"
        color="gray"
        leftSection={<IconPaperclip size={14} />}
        aria-expanded={areFilesShown}
        aria-controls={filesId}
        onClick={() => showFiles(!areFilesShown)}
      >
        {draft.files.length === 0 ? t('files') : t('filesCounted', { count: draft.files.length })}
      </Button>
      <ResponseModeControl
        value={draft.response_mode}
        onChange={(mode) => onDraft({ response_mode: mode })}
        apps={[app]}
      />
      <VersionSelect app={app.id} version={version} isCompact />
      <button
        type="button"
        className={`${classes.toggle} ${classes.keys}`}
        title={t('sendKeysWhy', { key: MODIFIER_KEY })}
        onClick={() => setEnterSends(!enterSends)}
      >
        {enterSends ? t('enterSends') : t('modifierSends', { key: MODIFIER_KEY })}
      </button>
      <Button
        type="submit"
        variant={isWaiting ? 'default' : 'filled'}
        leftSection={isWaiting ? <IconHandStop size={14} /> : <IconArrowUp size={14} />}
        disabled={!canSend}
      >
        {t(isWaiting ? 'cancel' : pendingRunId === null ? 'send' : 'sendNext')}
      </Button>
    </div>
  )
}

/** The body of operation 14 without the conversation. */
export interface ComposerRequest {
  query: string
  inputs: Record<string, unknown>
  user: string
  response_mode: 'streaming' | 'blocking'
  files?: ReturnType<typeof toFileInput>[]
  /** The version of the chatflow; omitted for the current one. */
  workflow_id?: string
  /** Only for a question that starts a conversation. */
  auto_generate_name?: boolean
}

export interface ComposerProps {
  app: Pick<Key, 'id' | 'mode'>
  fields: readonly InputField[]
  draft: ComposerDraft
  onDraft: (change: ComposerDraftChange) => void
  /** The default `user`, and the owner of the conversation, if it has one. */
  defaultUser: string
  conversationUser: string | null
  /** Null: the question starts a conversation, which the platform may name. */
  conversation: string | null
  /** The file rule of the app, null if the app declares none. */
  fileRule: FileRule | null
  /** The key for uploads, null if the platform does not support them. */
  uploadKey: string | null
  /** The inputs of the previous turn. */
  formerInputs: Record<string, unknown> | null
  /** Why the platform refused the inputs of the previous turn, null if it did not. */
  refusedInputs: string | null
  /** Why the app's parameters failed to load, with a retry. */
  parametersError: { reason: string; retry: () => void } | null
  /** The run that is still streaming: the next question waits for its end. */
  pendingRunId: string | null
  /**
   * The app's parameters are loaded, or could not be, and the owner of the conversation is known: the platform finds it under
   * no other user.
   */
  isReady: boolean
  version: PinnedVersion
  onSend: (asked: ComposerRequest) => void
  /** The text field, for callers that insert text. */
  inputRef: RefObject<HTMLTextAreaElement | null>
}

/** An app without a file rule may still accept files by URL, which the API allows for every app. */
const ANY_URL_FILE_RULE: FileRule = {
  types: [],
  extensions: [],
  methods: ['remote_url'],
  maxFiles: null,
  maxMegabytesByType: {},
}

/** Where a question waits to be sent, and for the end of which run. */
interface QueuedSend {
  conversation: string | null
  run_id: string | null
}

export type ComposerState = ReturnType<typeof useComposer>

/** The state of a composer besides its draft: open sections, errors, and the queued question. */
export function useComposer(props: ComposerProps) {
  const { fields, draft, defaultUser, conversationUser, conversation, fileRule, uploadKey } = props
  const { formerInputs, refusedInputs, pendingRunId, isReady, version, onSend, inputRef } = props
  const formatError = useMessages(inputMessages)
  const isNarrow = useMediaQuery('(max-width: 640px)', false, { getInitialValueInEffect: false })
  const [showsInputs, setShowsInputs] = useState<boolean | null>(null)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [queued, setQueued] = useState<QueuedSend | null>(null)
  // It is not sent in another conversation, which has another draft. A conversation that gets its id meanwhile is the
  // same one.
  const isSameConversation =
    queued?.conversation === conversation || (queued?.conversation === null && queued.run_id === pendingRunId)
  if (queued && !isSameConversation) setQueued(null)
  const isSendQueued = queued !== null && isSameConversation
  const setSendQueued = (isQueued: boolean) => setQueued(isQueued ? { conversation, run_id: pendingRunId } : null)
  const [filesField, setFilesField] = useState<'unused' | 'open' | 'folded'>(draft.files.length > 0 ? 'open' : 'unused')
  const showFiles = (isShown: boolean) =>
    setFilesField((before) => (isShown ? 'open' : before === 'unused' ? 'unused' : 'folded'))
  const uploads = usePendingUploads()
  const user = draft.user ?? conversationUser ?? defaultUser
  const formValues = { ...(formerInputs ? toFormValues(fields, formerInputs) : {}), ...draft.formValues }
  const visibleFields = fields.filter(({ hidden: hiddenFields }) => !hiddenFields)
  const isOpen = showsInputs ?? (!isNarrow || Object.keys(errors).length > 0)
  const isWaiting = isSendQueued && (pendingRunId !== null || !isReady)
  const rule = fileRule ?? ANY_URL_FILE_RULE
  const areFilesFit = !uploads.hasPending && findFilesError(rule, draft.files) === null
  const canSend = draft.query.trim() !== '' && user.trim() !== '' && areFilesFit
  const upload = uploadKey === null ? null : { key: uploadKey, user: user.trim() }

  const chatRequest: ComposerRequest = {
    query: draft.query,
    inputs: parseInputs(fields, formValues).inputs,
    user: user.trim(),
    response_mode: draft.response_mode,
    ...(draft.files.length > 0 ? { files: draft.files.map(toFileInput) } : {}),
    ...(version.workflow_id === null ? {} : { workflow_id: version.workflow_id }),
    ...(conversation === null && !draft.auto_generate_name ? { auto_generate_name: false } : {}),
  }
  const send = () => {
    if (!canSend) return
    if (!isReady) return setSendQueued(!isSendQueued)
    const { errors: parsedInputs } = parseInputs(fields, formValues)
    setErrors(parsedInputs)
    if (Object.keys(parsedInputs).length > 0) return setShowsInputs(true)
    if (pendingRunId !== null) return setSendQueued(!isSendQueued)
    onSend(chatRequest)
    showFiles(false)
    inputRef.current?.focus()
  }
  // Send the queued question after the answer ends; after a failure, or with files that are not uploaded yet, it stays in
  // the field.
  useRunEnd((run_id) => {
    if (!isSendQueued || run_id !== pendingRunId) return
    setSendQueued(false)
    if (!canSend || runStore.view(run_id)?.run?.status !== 'succeeded') return
    onSend(chatRequest)
    showFiles(false)
  })
  // A question sent while the inputs of the app, or the turns after a reload, were still loading. A run that had
  // ended before does not trigger it.
  useOnReady(isReady && pendingRunId === null, () => {
    if (!isSendQueued) return
    setSendQueued(false)
    send()
  })
  const [enterSends, setEnterSends] = useEnterSends()
  const onKeyDown = (event: KeyboardEvent) => {
    const isInField = event.target === inputRef.current
    // Leaves the field, so that the single-key shortcuts work.
    if (isInField && event.key === 'Escape') return inputRef.current?.blur()
    const isEnter = enterSends && isInField && !isWaiting && isPlainEnter(event)
    if (!isEnter && !isSubmitShortcut(event)) return
    event.preventDefault()
    send()
  }
  // Until the value at fault is another one.
  const refusedErrors = Object.entries(toRefusedErrors(fields, refusedInputs ?? '')).filter(
    ([variable]) => JSON.stringify(chatRequest.inputs[variable]) === JSON.stringify(formerInputs?.[variable]),
  )
  const fieldErrors = Object.entries({ ...Object.fromEntries(refusedErrors), ...errors }).map(([variable, error]) => ({
    variable,
    text: formatFieldError(formatError, error),
  }))
  return {
    user,
    formValues,
    visibleFields,
    fieldErrors,
    areInputsShown: isOpen,
    showInputs: setShowsInputs,
    areFilesShown: filesField === 'open',
    hasFilesField: filesField !== 'unused',
    showFiles,
    uploads,
    rule,
    upload,
    isWaiting,
    canSend,
    send,
    onKeyDown,
    enterSends,
    setEnterSends,
  }
}
