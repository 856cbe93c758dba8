import { Button } from '@mantine/core'
import { IconAdjustmentsHorizontal, IconArrowUp, IconHandStop, IconPaperclip } from '@tabler/icons-react'
import { useId } from 'react'
import chip from '../../../runs/inputs/InputControl.module.css'
import { MODIFIER_KEY } from '../../../../components/hooks/modifierKey.ts'
import { VersionSelect } from '../../../runs/version/VersionSelect.tsx'
import { ResponseModeControl } from '../../../runs/inputs/ResponseModeControl.tsx'
import classes from './Composer.module.css'
import { LazyInputFilesField, InputControl } from '../../../runs/inputs/InputControl.tsx'
import { PendingUploadsContext } from '../../../runs/inputs/pendingUploads.ts'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { chatMessages } from '../messages.ts'
import { type ComposerProps, type ComposerState, useComposer } from './useComposer.ts'

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
          <p className={classes.waits} role="status">
            {t('waits')}
          </p>
        ) : null}
        {/* Stays mounted while folded, so that uploads continue. */}
        <div id={filesId} className={classes.files} hidden={!areFilesShown}>
          {fileRule ? null : <p className={classes.note}>{t('noFileInputs')}</p>}
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
        <p className={classes.waits} role="status">
          {t('uploadsPending')}
        </p>
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
        <ul className={classes.faults} role="alert">
          {fieldErrors.map(({ variable, text }) => (
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
        className={classes.keys}
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
