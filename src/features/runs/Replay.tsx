import { Button, Textarea, TextInput } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { type KeyboardEvent, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Key } from '#contract/console.ts'
import { contract } from '#contract/index.ts'
import { paths } from '../../paths.ts'
import { changedIn } from '../../run/changed.ts'
import { ENTRIES } from '../../run/entries.ts'
import { entriesOf, faultOfFiles, type FileRule, ruleOfUpload, sentFile } from '../../run/files.ts'
import { FilesField } from '../../run/FilesField.tsx'
import { beyondFrom, controlsOf, type Faults, type Filled, filledFrom, inputsOf } from '../../run/inputs.ts'
import { InputsForm } from '../../run/InputsForm.tsx'
import { runWords } from '../../run/messages.ts'
import { ParametersChanged } from '../../run/ParametersChanged.tsx'
import type { Turn } from '../../run/turn.ts'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { useRead } from '../../wire/query.ts'
import { runs } from '../../wire/useRun.ts'
import { useEdits } from './edits.ts'
import { ResponseMode } from '../../run/ResponseMode.tsx'
import { useWords } from '../../ui/words.ts'
import { runsWords } from './messages.ts'
import classes from './Run.module.css'

export interface ReplayProps {
  run_id: string
  turn: Turn
  app: Key
  workspace: string
}

/** A file that the app does not name a rule for is sent as it was. */
const ANY: FileRule = { types: [], extensions: [], methods: [], most: null, sizes: {} }

/** The request of a run once more, to be edited. Nothing is sent before one sends it; the new run keeps this one as its parent. */
export function Replay({ run_id, turn, app, workspace }: ReplayProps) {
  const t = useWords(runsWords)
  const say = useWords(runWords)
  const navigate = useNavigate()
  const { question, entry } = turn
  const parameters = useRead(contract.workflows.parameters, { key: app.id })
  const controls = controlsOf(parameters.data)
  const before: Filled = { ...filledFrom(controls, question.inputs), ...beyondFrom(controls, question.inputs) }
  const sentFiles = question.body.files ? entriesOf(question.body.files) : []
  const [edits, edit, forget] = useEdits(run_id)
  const { query = question.query, user = question.user, mode = question.response_mode, files = sentFiles } = edits
  const [faults, setFaults] = useState<Faults>({})
  const [lack, setLack] = useState<'needsQuery' | 'needsUser' | 'needsInput' | null>(null)
  const filled = edits.filled ?? before
  const rule = ruleOfUpload(parameters.data) ?? (sentFiles.length > 0 ? ANY : null)
  const changed = changedIn(controls, before, filled)
  const isChat = entry === 'chat.send'

  const send = () => {
    const { inputs, faults: found } = inputsOf(controls, filled)
    const isEmpty = entry === 'completion.send' && Object.keys(inputs).length === 0
    const missing =
      isChat && query.trim() === '' ? 'needsQuery' : user.trim() === '' ? 'needsUser' : isEmpty ? 'needsInput' : null
    setFaults(found)
    setLack(missing)
    if (Object.keys(found).length > 0 || missing || (rule && faultOfFiles(rule, files))) return
    const { files: _files, ...kept } = question.body
    const body = {
      ...kept,
      ...(isChat ? { query } : {}),
      ...(files.length > 0 ? { files: files.map(sentFile) } : {}),
      inputs,
      user: user.trim(),
      response_mode: mode,
    }
    const id = runs.begin(ENTRIES[entry], { key: app.id, body, parent: run_id } as Parameters<typeof runs.begin>[1])
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
          controls={controls}
          filled={filled}
          onFilled={(next) => {
            edit({ filled: next })
            setFaults({})
            setLack(null)
          }}
          faults={faults}
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
          <FilesField
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
          label={say('user')}
          description={say('userWhy')}
          maxLength={255}
          value={user}
          onChange={(event) => edit({ user: event.currentTarget.value })}
        />
      </div>
      <div className={classes.foot}>
        <ResponseMode value={mode} onChange={(next) => edit({ mode: next })} />
        {lack ? (
          <p className={classes.lack} role="alert">
            {t(lack)}
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
