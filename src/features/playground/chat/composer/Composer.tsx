import { Button, Kbd } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconAdjustmentsHorizontal, IconArrowUp, IconHandStop, IconPaperclip } from '@tabler/icons-react'
import { type KeyboardEvent, type RefObject, useId, useState } from 'react'
import { runStore, useRunEnd } from '../../../../client/useRun.ts'
import chip from '../../../runs/inputs/InputControl.module.css'
import { MODIFIER_KEY } from '../../../../components/hooks/modifierKey.ts'
import { ResponseModeControl } from '../../../runs/inputs/ResponseModeControl.tsx'
import classes from './Composer.module.css'
import type { ComposerDraft, ComposerDraftChange } from './composerDraft.ts'
import { formatFieldError } from '../../../runs/inputs/formatFieldError.ts'
import { findFilesError, type FileRule, toFileInput } from '../../../runs/inputs/inputFiles.ts'
import { InputFilesField } from '../../../runs/inputs/InputFilesField.tsx'
import { InputControl } from '../../../runs/inputs/InputControl.tsx'
import { type InputField, type FieldErrors, toFormValues, parseInputs } from '../../../runs/inputs/inputFields.ts'
import { runMessages } from '../../../runs/detail/messages.ts'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { chatMessages } from '../messages.ts'

/** What a person asks: the body of operation 14 but for the conversation. */
export interface ComposerRequest {
  query: string
  inputs: Record<string, unknown>
  user: string
  response_mode: 'streaming' | 'blocking'
  files?: ReturnType<typeof toFileInput>[]
  /** Only with a question that begins a conversation. */
  auto_generate_name?: boolean
}

export interface ComposerProps {
  fields: readonly InputField[]
  draft: ComposerDraft
  onDraft: (change: ComposerDraftChange) => void
  /** The `user` that stands unless it is changed, and the one that the conversation belongs to, if it has one. */
  defaultUser: string
  conversationUser: string | null
  /** The question begins a conversation, which the platform may name. */
  isNewConversation: boolean
  /** What the app takes as files, null where it does not say that it takes any. */
  fileRule: FileRule | null
  /** The key by which files are uploaded, null where the platform does not offer that. */
  uploadKey: string | null
  /** The inputs of the turn before. */
  formerInputs: Record<string, unknown> | null
  /** Why the app's inputs are not known, with the way to ask again. */
  parametersError: { reason: string; retry: () => void } | null
  /** The run whose answer is still coming: what is sent now waits for its end. */
  pendingRunId: string | null
  /** Whose conversation it is, is known: asked under another name the platform would not find it. */
  hasParameters: boolean
  onSend: (asked: ComposerRequest) => void
  /** Where the question is written, for whoever puts words into it. */
  inputRef: RefObject<HTMLTextAreaElement | null>
}

/** By the first letter, as `dir="auto"` has it, which costs Chromium ten times the layout in a text of many lines. */
const getTextDirection = (text: string) => (/^\P{L}*[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(text) ? 'rtl' : 'ltr')

/** An app that says nothing of files may take them all the same, by their URL, which the interface allows to any. */
const ANY_URL_FILE_RULE: FileRule = {
  types: [],
  extensions: [],
  methods: ['remote_url'],
  maxFiles: null,
  maxMegabytesByType: {},
}

/** Where a question is written: its words, the app's inputs, its user and its mode. */
export function Composer(props: ComposerProps) {
  const { fields, draft, onDraft, defaultUser, conversationUser, isNewConversation, fileRule, uploadKey } = props
  const { formerInputs, parametersError, pendingRunId, hasParameters, onSend, inputRef } = props
  const t = useMessages(chatMessages)
  const formatError = useMessages(runMessages)
  const isNarrow = useMediaQuery('(max-width: 640px)', false, { getInitialValueInEffect: false })
  const [showsInputs, setShowsInputs] = useState<boolean | null>(null)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [isSendQueued, setSendQueued] = useState(false)
  const [areFilesShown, showFiles] = useState(draft.files.length > 0)
  const [pendingUploads, setPendingUploads] = useState(0)
  const form = useId()
  const filesId = useId()
  const user = draft.user ?? conversationUser ?? defaultUser
  const formValues = { ...(formerInputs ? toFormValues(fields, formerInputs) : {}), ...draft.formValues }
  const visibleFields = fields.filter(({ hidden: hiddenFields }) => !hiddenFields)
  const isOpen = showsInputs ?? (!isNarrow || Object.keys(errors).length > 0)
  const isWaiting = isSendQueued && pendingRunId !== null
  const rule = fileRule ?? ANY_URL_FILE_RULE
  const areFilesFit = pendingUploads === 0 && findFilesError(rule, draft.files) === null
  const canSend = hasParameters && draft.query.trim() !== '' && user.trim() !== '' && areFilesFit
  const upload = uploadKey === null ? null : { key: uploadKey, user: user.trim() }

  const chatRequest: ComposerRequest = {
    query: draft.query,
    inputs: parseInputs(fields, formValues).inputs,
    user: user.trim(),
    response_mode: draft.response_mode,
    ...(draft.files.length > 0 ? { files: draft.files.map(toFileInput) } : {}),
    ...(isNewConversation && !draft.auto_generate_name ? { auto_generate_name: false } : {}),
  }
  const send = () => {
    if (!canSend) return
    const { errors: parsedInputs } = parseInputs(fields, formValues)
    setErrors(parsedInputs)
    if (Object.keys(parsedInputs).length > 0) return setShowsInputs(true)
    if (pendingRunId !== null) return setSendQueued(!isSendQueued)
    onSend(chatRequest)
    showFiles(false)
    inputRef.current?.focus()
  }
  // What waits goes out when the answer above has come; after one that failed it stays in the field.
  useRunEnd((run_id) => {
    if (!isSendQueued || run_id !== pendingRunId) return
    setSendQueued(false)
    if (runStore.view(run_id)?.run?.status !== 'succeeded') return
    onSend(chatRequest)
    showFiles(false)
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  const words = Object.entries(errors).map(([variable, error]) => ({
    variable,
    text: formatFieldError(formatError, error),
  }))

  return (
    <form
      className={classes.composer}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      onKeyDown={onKeyDown}
    >
      <div className={classes.form}>
        <button
          type="button"
          className={classes.toggle}
          aria-expanded={isOpen}
          aria-controls={form}
          onClick={() => setShowsInputs(!isOpen)}
        >
          <IconAdjustmentsHorizontal size={15} aria-hidden />
          {t('inputs')}
        </button>
        {isOpen ? (
          <div id={form} className={classes.controls}>
            {visibleFields.map((inputField) => (
              <InputControl
                key={inputField.variable}
                field={inputField}
                value={formValues[inputField.variable] ?? inputField.initial}
                error={words.find(({ variable }) => variable === inputField.variable)?.text}
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
            {isNewConversation ? (
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
        {words.length > 0 ? (
          <ul className={classes.faults} role="alert">
            {words.map(({ variable, text }) => (
              <li key={variable}>{text}</li>
            ))}
          </ul>
        ) : null}
        {parametersError ? (
          <p className={classes.note}>
            {t('noParameters', { reason: parametersError.reason })}
            <Button variant="subtle" color="gray" size="compact-xs" onClick={parametersError.retry}>
              {t('retry')}
            </Button>
          </p>
        ) : null}
        {conversationUser && user.trim() !== conversationUser ? (
          <p className={classes.note}>{t('otherUser', { user: conversationUser })}</p>
        ) : null}
      </div>
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
        <p className={classes.waits} role="status">
          {t('waits')}
        </p>
      ) : null}
      {/* Kept where it is while it is folded: an upload goes on. */}
      <div id={filesId} className={classes.files} hidden={!areFilesShown}>
        {fileRule ? null : <p className={classes.note}>{t('noFileInputs')}</p>}
        <InputFilesField
          label={t('files')}
          rule={rule}
          entries={draft.files}
          onEntries={(files) => onDraft({ files })}
          upload={upload}
          onPendingUploads={setPendingUploads}
        />
      </div>
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
        <ResponseModeControl value={draft.response_mode} onChange={(mode) => onDraft({ response_mode: mode })} />
        <span className={classes.keys} title={t('sendHint')}>
          <Kbd size="xs">{MODIFIER_KEY}</Kbd> <Kbd size="xs">Enter</Kbd>
        </span>
        <Button
          type="submit"
          variant={isWaiting ? 'default' : 'filled'}
          leftSection={isWaiting ? <IconHandStop size={14} /> : <IconArrowUp size={14} />}
          disabled={!canSend}
        >
          {t(isWaiting ? 'cancel' : pendingRunId === null ? 'send' : 'sendNext')}
        </Button>
      </div>
    </form>
  )
}
