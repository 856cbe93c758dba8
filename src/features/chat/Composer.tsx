import { Button, Kbd } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconAdjustmentsHorizontal, IconArrowUp, IconHandStop, IconPaperclip } from '@tabler/icons-react'
import { type KeyboardEvent, type RefObject, useId, useState } from 'react'
import { runs, useRunEnd } from '../../wire/useRun.ts'
import chip from '../../run/InputControl.module.css'
import { MOD_KEY } from '../../ui/modKey.ts'
import { ResponseMode } from '../../run/ResponseMode.tsx'
import classes from './Composer.module.css'
import type { Draft, DraftChange } from './draft.ts'
import { faultWords } from '../../run/faultWords.ts'
import { faultOfFiles, type FileRule, sentFile } from '../../run/files.ts'
import { FilesField } from '../../run/FilesField.tsx'
import { InputControl } from '../../run/InputControl.tsx'
import { type Control, type Faults, filledFrom, inputsOf } from '../../run/inputs.ts'
import { runWords } from '../../run/messages.ts'
import { useWords } from '../../ui/words.ts'
import { chatWords } from './messages.ts'

/** What a person asks: the body of operation 14 but for the conversation. */
export interface Asked {
  query: string
  inputs: Record<string, unknown>
  user: string
  response_mode: 'streaming' | 'blocking'
  files?: ReturnType<typeof sentFile>[]
  /** Only with a question that begins a conversation. */
  auto_generate_name?: boolean
}

export interface ComposerProps {
  controls: readonly Control[]
  draft: Draft
  onDraft: (change: DraftChange) => void
  /** The `user` that stands unless it is changed, and the one that the conversation belongs to, if it has one. */
  defaultUser: string
  conversationUser: string | null
  /** The question begins a conversation, which the platform may name. */
  begins: boolean
  /** What the app takes as files, null where it does not say that it takes any. */
  fileRule: FileRule | null
  /** The key by which files are uploaded, null where the platform does not offer that. */
  uploadKey: string | null
  /** The inputs of the turn before. */
  formerInputs: Record<string, unknown> | null
  /** Why the app's inputs are not known, with the way to ask again. */
  refusal: { reason: string; retry: () => void } | null
  /** The run whose answer is still coming: what is sent now waits for its end. */
  awaited: string | null
  /** Whose conversation it is, is known: asked under another name the platform would not find it. */
  isKnown: boolean
  onSend: (asked: Asked) => void
  /** Where the question is written, for whoever puts words into it. */
  field: RefObject<HTMLTextAreaElement | null>
}

/** By the first letter, as `dir="auto"` has it, which costs Chromium ten times the layout in a text of many lines. */
const directionOf = (text: string) => (/^\P{L}*[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(text) ? 'rtl' : 'ltr')

/** An app that says nothing of files may take them all the same, by their URL, which the interface allows to any. */
const ANY_URL: FileRule = { types: [], extensions: [], methods: ['remote_url'], most: null, sizes: {} }

/** Where a question is written: its words, the app's inputs, its user and its mode. */
export function Composer(props: ComposerProps) {
  const { controls, draft, onDraft, defaultUser, conversationUser, begins, fileRule, uploadKey } = props
  const { formerInputs, refusal, awaited, isKnown, onSend, field } = props
  const t = useWords(chatWords)
  const say = useWords(runWords)
  const isNarrow = useMediaQuery('(max-width: 640px)', false, { getInitialValueInEffect: false })
  const [shows, setShows] = useState<boolean | null>(null)
  const [faults, setFaults] = useState<Faults>({})
  const [waits, setWaits] = useState(false)
  const [areFilesShown, showFiles] = useState(draft.files.length > 0)
  const [passing, setPassing] = useState(0)
  const form = useId()
  const filesId = useId()
  const user = draft.user ?? conversationUser ?? defaultUser
  const filled = { ...(formerInputs ? filledFrom(controls, formerInputs) : {}), ...draft.filled }
  const visible = controls.filter(({ hidden }) => !hidden)
  const isOpen = shows ?? (!isNarrow || Object.keys(faults).length > 0)
  const isWaiting = waits && awaited !== null
  const rule = fileRule ?? ANY_URL
  const areFilesFit = passing === 0 && faultOfFiles(rule, draft.files) === null
  const canSend = isKnown && draft.query.trim() !== '' && user.trim() !== '' && areFilesFit
  const upload = uploadKey === null ? null : { key: uploadKey, user: user.trim() }

  const asked: Asked = {
    query: draft.query,
    inputs: inputsOf(controls, filled).inputs,
    user: user.trim(),
    response_mode: draft.response_mode,
    ...(draft.files.length > 0 ? { files: draft.files.map(sentFile) } : {}),
    ...(begins && !draft.auto_generate_name ? { auto_generate_name: false } : {}),
  }
  const send = () => {
    if (!canSend) return
    const { faults: found } = inputsOf(controls, filled)
    setFaults(found)
    if (Object.keys(found).length > 0) return setShows(true)
    if (awaited !== null) return setWaits(!waits)
    onSend(asked)
    showFiles(false)
    field.current?.focus()
  }
  // What waits goes out when the answer above has come; after one that failed it stays in the field.
  useRunEnd((run_id) => {
    if (!waits || run_id !== awaited) return
    setWaits(false)
    if (runs.view(run_id)?.run?.status !== 'succeeded') return
    onSend(asked)
    showFiles(false)
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  const words = Object.entries(faults).map(([variable, fault]) => ({
    variable,
    text: faultWords(say, fault),
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
          onClick={() => setShows(!isOpen)}
        >
          <IconAdjustmentsHorizontal size={15} aria-hidden />
          {t('inputs')}
        </button>
        {isOpen ? (
          <div id={form} className={classes.controls}>
            {visible.map((control) => (
              <InputControl
                key={control.variable}
                control={control}
                value={filled[control.variable] ?? control.initial}
                fault={words.find(({ variable }) => variable === control.variable)?.text}
                onChange={(value) => onDraft(({ filled }) => ({ filled: { ...filled, [control.variable]: value } }))}
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
            {begins ? (
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
        {refusal ? (
          <p className={classes.note}>
            {t('noParameters', { reason: refusal.reason })}
            <Button variant="subtle" color="gray" size="compact-xs" onClick={refusal.retry}>
              {t('retry')}
            </Button>
          </p>
        ) : null}
        {conversationUser && user.trim() !== conversationUser ? (
          <p className={classes.note}>{t('otherUser', { user: conversationUser })}</p>
        ) : null}
      </div>
      <textarea
        ref={field}
        className={classes.field}
        aria-label={t('yourQuestion')}
        placeholder={t('yourQuestion')}
        rows={2}
        maxLength={200_000}
        dir={directionOf(draft.query)}
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
        {fileRule ? null : <p className={classes.note}>{t('noFilesSaid')}</p>}
        <FilesField
          label={t('files')}
          rule={rule}
          entries={draft.files}
          onEntries={(files) => onDraft({ files })}
          upload={upload}
          onPassing={setPassing}
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
        <ResponseMode value={draft.response_mode} onChange={(mode) => onDraft({ response_mode: mode })} />
        <span className={classes.keys} title={t('sendHint')}>
          <Kbd size="xs">{MOD_KEY}</Kbd> <Kbd size="xs">Enter</Kbd>
        </span>
        <Button
          type="submit"
          variant={isWaiting ? 'default' : 'filled'}
          leftSection={isWaiting ? <IconHandStop size={14} /> : <IconArrowUp size={14} />}
          disabled={!canSend}
        >
          {t(isWaiting ? 'holdBack' : awaited === null ? 'send' : 'sendNext')}
        </Button>
      </div>
    </form>
  )
}
