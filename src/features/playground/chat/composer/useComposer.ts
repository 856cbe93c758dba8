import { useMediaQuery } from '@mantine/hooks'
import { type KeyboardEvent, type RefObject, useState } from 'react'
import { runStore, useRunEnd } from '../../../../client/useRun.ts'
import type { ComposerDraft, ComposerDraftChange } from './composerDraft.ts'
import { formatFieldError } from '../../../runs/inputs/formatFieldError.ts'
import { findFilesError, type FileRule, toFileInput } from '../../../runs/inputs/inputFiles.ts'
import { type InputField, type FieldErrors, toFormValues, parseInputs } from '../../../runs/inputs/inputFields.ts'
import { runMessages } from '../../../runs/detail/messages.ts'
import { useMessages } from '../../../../components/i18n/useMessages.ts'

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

/** An app that says nothing of files may take them all the same, by their URL, which the interface allows to any. */
const ANY_URL_FILE_RULE: FileRule = {
  types: [],
  extensions: [],
  methods: ['remote_url'],
  maxFiles: null,
  maxMegabytesByType: {},
}

export type ComposerState = ReturnType<typeof useComposer>

/** What a composer holds beside its draft: what is open, what is wrong, and the question that waits for the answer above. */
export function useComposer(props: ComposerProps) {
  const { fields, draft, defaultUser, conversationUser, isNewConversation, fileRule, uploadKey } = props
  const { formerInputs, pendingRunId, hasParameters, onSend, inputRef } = props
  const formatError = useMessages(runMessages)
  const isNarrow = useMediaQuery('(max-width: 640px)', false, { getInitialValueInEffect: false })
  const [showsInputs, setShowsInputs] = useState<boolean | null>(null)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [isSendQueued, setSendQueued] = useState(false)
  const [areFilesShown, showFiles] = useState(draft.files.length > 0)
  const [pendingUploads, setPendingUploads] = useState(0)
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
  const fieldErrors = Object.entries(errors).map(([variable, error]) => ({
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
    areFilesShown,
    showFiles,
    setPendingUploads,
    rule,
    upload,
    isWaiting,
    canSend,
    send,
    onKeyDown,
  }
}
