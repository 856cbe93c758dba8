import { Button, Kbd, TextInput } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import type { Key } from '#contract/console.ts'
import type { Parameters } from '#contract/workflows.ts'
import { paths } from '../../paths.ts'
import { changedIn } from '../changed.ts'
import type { PlaygroundEntry } from '../entries.ts'
import { FilesField } from '../FilesField.tsx'
import { faultOfFiles, ruleOfUpload, sentFile } from '../files.ts'
import { controlsOf, type Faults, inputsOf } from '../inputs.ts'
import { InputsForm } from '../InputsForm.tsx'
import type { Draft } from './draft.ts'
import { MOD_KEY } from '../../ui/modKey.ts'
import { useWords } from '../../ui/words.ts'
import { runWords } from '../messages.ts'
import { ResponseMode } from '../ResponseMode.tsx'
import classes from './InputsPane.module.css'
import { playgroundWords } from './messages.ts'

/** The body of operations 10 and 11, which are alike. */
export interface Asked {
  inputs: Record<string, unknown>
  user: string
  response_mode: 'streaming' | 'blocking'
  files?: ReturnType<typeof sentFile>[]
}

export interface InputsPaneProps {
  entry: PlaygroundEntry
  app: Key
  parameters: Parameters | undefined
  /** Why the app's inputs are not known, with the way to ask again. */
  refusal: { reason: string; retry: () => void } | null
  draft: Draft
  onDraft: (change: Partial<Draft>) => void
  defaultUser: string
  onRun: (asked: Asked, parent: string | null) => void
}

/** Where a run is asked for: the app's inputs, its files, the user, the mode. */
export function InputsPane(props: InputsPaneProps) {
  const { entry, app, parameters, refusal, draft, onDraft, defaultUser, onRun } = props
  const t = useWords(playgroundWords)
  const say = useWords(runWords)
  const [faults, setFaults] = useState<Faults>({})
  const [lack, setLack] = useState<'needsInput' | 'needsUser' | null>(null)
  const controls = controlsOf(parameters)
  const rule = ruleOfUpload(parameters)
  const user = (draft.user ?? defaultUser).trim()
  const upload = app.offers.includes('uploadFile') ? { key: app.id, user } : null
  const changed = draft.parent ? changedIn(controls, draft.parent.filled, draft.filled) : []

  const send = () => {
    const { inputs, faults: found } = inputsOf(controls, draft.filled)
    // A workflow may have no input at all; the interface asks a completion for one.
    const isEmpty = entry === 'completion.send' && Object.keys(inputs).length === 0
    const missing = user === '' ? 'needsUser' : isEmpty ? 'needsInput' : null
    setFaults(found)
    setLack(Object.keys(found).length > 0 ? null : missing)
    if (Object.keys(found).length > 0 || missing || (rule && faultOfFiles(rule, draft.files))) return
    const files = rule && draft.files.length > 0 ? { files: draft.files.map(sentFile) } : {}
    onRun({ inputs, user, response_mode: draft.response_mode, ...files }, draft.parent?.run_id ?? null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <form
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
        {draft.parent ? (
          <p className={classes.parent}>
            {t.rich('madeFrom', { run: () => <RunLink run_id={draft.parent?.run_id ?? ''} /> })}{' '}
            <Button variant="subtle" color="gray" size="compact-xs" onClick={() => onDraft({ parent: null })}>
              {t('forget')}
            </Button>
          </p>
        ) : null}
        {refusal ? (
          <p className={classes.refusal}>
            {t('noParameters', { reason: refusal.reason })}
            <Button variant="subtle" color="gray" size="compact-xs" onClick={refusal.retry}>
              {t('retry')}
            </Button>
          </p>
        ) : null}
        {parameters || refusal ? (
          <InputsForm
            controls={controls}
            filled={draft.filled}
            onFilled={(filled) => {
              onDraft({ filled })
              setFaults({})
              setLack(null)
            }}
            faults={faults}
            upload={upload}
            changed={changed}
          />
        ) : null}
        {rule ? (
          <fieldset className={classes.files}>
            <legend>{t('files')}</legend>
            <FilesField
              label={t('files')}
              rule={rule}
              entries={draft.files}
              onEntries={(files) => onDraft({ files })}
              upload={upload}
            />
          </fieldset>
        ) : null}
        <TextInput
          label={say('user')}
          description={say('userWhy')}
          required
          maxLength={255}
          value={draft.user ?? defaultUser}
          onChange={(event) => onDraft({ user: event.currentTarget.value })}
        />
      </div>
      <div className={classes.foot}>
        {lack ? (
          <p className={classes.lack} role="alert">
            {t(lack)}
          </p>
        ) : null}
        <ResponseMode value={draft.response_mode} onChange={(mode) => onDraft({ response_mode: mode })} />
        <span className={classes.keys} title={t('runHint')}>
          <Kbd size="xs">{MOD_KEY}</Kbd> <Kbd size="xs">Enter</Kbd>
        </span>
        <Button type="submit" leftSection={<IconPlayerPlay size={14} />}>
          {t('run')}
        </Button>
      </div>
    </form>
  )
}

const RunLink = ({ run_id }: { run_id: string }): ReactNode => <Link to={paths.run(run_id)}>{run_id.slice(0, 8)}</Link>
