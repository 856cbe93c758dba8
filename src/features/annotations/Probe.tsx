import { Button, NativeSelect, Textarea } from '@mantine/core'
import { IconMessageQuestion } from '@tabler/icons-react'
import { useState } from 'react'
import type { Key } from '#contract/console.ts'
import { contract } from '#contract/index.ts'
import { ENTRIES } from '../../run/entries.ts'
import { controlsOf } from '../../run/inputs.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useListState } from '../../ui/useListState.ts'
import { useWords } from '../../ui/words.ts'
import { useRead } from '../../wire/query.ts'
import { runs } from '../../wire/useRun.ts'
import classes from './Annotations.module.css'
import { annotationsWords } from './messages.ts'
import { ProbeResult } from './ProbeResult.tsx'
import { useAnnotation } from './useAnnotation.ts'
import { type AnnotationRow, useAnnotations } from './useAnnotations.ts'

/** Asks an annotated question through the key of the app. */
export function Probe({ workspace, app }: { workspace: string; app: Key }) {
  const t = useWords(annotationsWords)
  const { get, set } = useListState()
  const { data, error, refetch } = useAnnotations(workspace, app, { q: undefined, page: '1', limit: '100' })
  const session = useRead(contract.console.session, {})
  const parameters = useRead(contract.workflows.parameters, { key: app.id })
  const [typed, setTyped] = useState<{ of: string; question: string } | null>(null)
  const [field, setField] = useState<string | null>(null)
  const [asked, setAsked] = useState<{ run_id: string; row: AnnotationRow } | null>(null)
  const listed = data?.rows ?? []
  const chosen = get('annotation') ?? null
  const known = useAnnotation(workspace, chosen, listed.find(({ id }) => id === chosen) ?? null)
  const isGone = data !== undefined && chosen !== null && !known.row && !known.isPending
  const rows = known.row && !listed.some(({ id }) => id === chosen) ? [known.row, ...listed] : listed
  // Never another one than was chosen: what is probed would be mistaken for it.
  const row = chosen === null ? rows[0] : known.row
  const question = typed && typed.of === row?.id ? typed.question : (row?.question ?? '')
  const texts = controlsOf(parameters.data).filter(({ kind }) => kind === 'text-input' || kind === 'paragraph')
  const input = field ?? texts[0]?.variable ?? 'query'
  const user = session.data?.person.default_user ?? ''
  const ask = () => {
    if (!row) return
    const isChat = app.kind === 'chat'
    const given = isChat ? { query: question, inputs: {} } : { inputs: { [input]: question } }
    const entry = isChat ? ENTRIES['chat.send'] : ENTRIES['completion.send']
    const run_id = runs.begin(entry, { key: app.id, body: { ...given, user, response_mode: 'streaming' } })
    setAsked({ run_id, row })
  }
  return (
    <section aria-label={t('probeTitle')}>
      <h2>{t('probeTitle')}</h2>
      <p className={classes.note}>{t('probeWhy')}</p>
      {error ? <ProblemNote problem={error.problem} what={t('listWhat')} onRetry={() => void refetch()} /> : null}
      {row ? (
        <form
          className={classes.probe}
          onSubmit={(event) => {
            event.preventDefault()
            ask()
          }}
        >
          <NativeSelect
            label={t('probeWhich')}
            description={
              data && data.total > listed.length ? t('probeNewest', { n: listed.length, total: data.total }) : undefined
            }
            value={row.id}
            onChange={(event) => set({ annotation: event.currentTarget.value }, { replace: true })}
            data={rows.map(({ id, question: words }) => ({ value: id, label: words?.slice(0, 120) || id }))}
          />
          <Textarea
            label={t('probeQuestion')}
            description={t('probeQuestionHelp')}
            autosize
            minRows={2}
            maxRows={6}
            dir="auto"
            value={question}
            onChange={(event) => setTyped({ of: row.id, question: event.currentTarget.value })}
          />
          {app.kind === 'completion' && texts.length > 1 ? (
            <NativeSelect
              label={t('probeInput')}
              value={input}
              onChange={(event) => setField(event.currentTarget.value)}
              data={texts.map(({ variable, label }) => ({ value: variable, label }))}
            />
          ) : null}
          <div>
            <Button
              type="submit"
              leftSection={<IconMessageQuestion size={14} />}
              disabled={question.trim() === '' || user === ''}
            >
              {t('probeAsk')}
            </Button>
          </div>
        </form>
      ) : isGone ? (
        <p className={classes.note}>
          {t('notFound')}{' '}
          <Button size="compact-xs" variant="subtle" onClick={() => set({ annotation: null }, { replace: true })}>
            {t('probeOther')}
          </Button>
        </p>
      ) : data && !known.isPending ? (
        <p className={classes.note}>{t('probeNone')}</p>
      ) : null}
      {asked ? <ProbeResult key={asked.run_id} {...asked} workspace={workspace} /> : null}
    </section>
  )
}
