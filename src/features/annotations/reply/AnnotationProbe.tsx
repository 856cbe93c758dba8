import { Button, Flex, Group, NativeSelect, Paper, Stack, Text, Textarea } from '@mantine/core'
import { IconMessageQuestion, IconCircleCheckFilled, IconCircleX, IconHelpCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { accessEndpoints } from '#contract/console/access.ts'
import { appParameterEndpoints } from '#contract/platform/appParameters.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { truncateText } from '#contract/truncatedText.ts'
import { paths } from '#domain/paths.ts'
import { formatSeconds } from '#domain/metricFormat.ts'
import { RUN_ENTRIES } from '../../runs/runEntries.ts'
import { toInputFields } from '../../runs/inputs/inputFields.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { toProbeOutcome } from './annotationReply.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import { runStore } from '../../../client/useRun.ts'
import fields from '../../../components/forms/Fields.module.css'
import { annotationMessages } from '../messages.ts'
import { useAnnotation, type AnnotationRow, useAnnotations } from '../useAnnotations.ts'
import { isTurnOver } from '../../runs/turn.ts'
import { useTurn } from '../../runs/useTurn.ts'
import { IdChip } from '../../../components/data/IdChip.tsx'
import { Metric } from '../../../components/data/Metric.tsx'
import { TextDiff } from '../../../components/data/textDiff/TextDiff.tsx'

/** Sends an annotated question through the key of the app. */
export function AnnotationProbe({ workspace, app }: { workspace: string; app: Key }) {
  const t = useMessages(annotationMessages)
  const { get, set } = useSearchParamState()
  const { read } = useAnnotations(workspace, app, { q: undefined, page: '1', limit: '100' })
  const { data, error, refetch } = read
  const session = useRead(accessEndpoints.session, {})
  const parameters = useRead(appParameterEndpoints.parameters, { key: app.id })
  const [draft, setDraft] = useState<{ of: string; question: string } | null>(null)
  const [field, setField] = useState<string | null>(null)
  const [probeRun, setProbeRun] = useState<{ run_id: string; row: AnnotationRow } | null>(null)
  const annotations = data?.rows ?? []
  const selected = get('annotation') ?? null
  const known = useAnnotation(workspace, selected, annotations.find(({ id }) => id === selected) ?? null)
  const isMissing = data !== undefined && selected !== null && !known.row && !known.isPending
  const rows = known.row && !annotations.some(({ id }) => id === selected) ? [known.row, ...annotations] : annotations
  // Never fall back to another row: its result would be mistaken for the selected one.
  const row = selected === null ? rows[0] : known.row
  const question = draft && draft.of === row?.id ? draft.question : (row?.question ?? '')
  const textFields = toInputFields(parameters.data).filter(({ kind }) => kind === 'text-input' || kind === 'paragraph')
  const input = field ?? textFields[0]?.variable ?? 'query'
  const user = session.data?.person.default_user ?? ''
  const startProbe = () => {
    if (!row) return
    const isChat = app.kind === 'chat'
    const inputValues = isChat ? { query: question, inputs: {} } : { inputs: { [input]: question } }
    const entry = isChat ? RUN_ENTRIES['chat.send'] : RUN_ENTRIES['completion.send']
    const run_id = runStore.start(entry, { key: app.id, body: { ...inputValues, user, response_mode: 'streaming' } })
    setProbeRun({ run_id, row })
  }
  return (
    <Flex component="section" direction="column" gap="md" aria-label={t('probeTitle')}>
      <Text component="h2" fz="lg" fw={600}>
        {t('probeTitle')}
      </Text>
      <Text fz="sm" c="dimmed">
        {t('probeWhy')}
      </Text>
      {error ? <ProblemAlert problem={error.problem} action={t('listWhat')} onRetry={() => void refetch()} /> : null}
      {row ? (
        <form
          className={fields.form}
          onSubmit={(event) => {
            event.preventDefault()
            startProbe()
          }}
        >
          <NativeSelect
            label={t('probeWhich')}
            description={
              data && data.total > annotations.length
                ? t('probeNewest', { n: annotations.length, total: data.total })
                : undefined
            }
            value={row.id}
            onChange={(event) => set({ annotation: event.currentTarget.value }, { replace: true })}
            data={rows.map(({ id, question: words }) => ({ value: id, label: truncateText(words || id, 120) }))}
          />
          <Textarea
            label={t('probeQuestion')}
            description={t('probeQuestionHelp')}
            autosize
            minRows={2}
            maxRows={6}
            dir="auto"
            value={question}
            onChange={(event) => setDraft({ of: row.id, question: event.currentTarget.value })}
          />
          {app.kind === 'completion' && textFields.length > 1 ? (
            <NativeSelect
              label={t('probeInput')}
              value={input}
              onChange={(event) => setField(event.currentTarget.value)}
              data={textFields.map(({ variable, label }) => ({ value: variable, label }))}
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
      ) : isMissing ? (
        <Text fz="sm" c="dimmed">
          {t('notFound')}{' '}
          <Button size="compact-xs" variant="subtle" onClick={() => set({ annotation: null }, { replace: true })}>
            {t('probeOther')}
          </Button>
        </Text>
      ) : data && !known.isPending ? (
        <Text fz="sm" c="dimmed">
          {t('probeNone')}
        </Text>
      ) : null}
      {probeRun ? <ProbeResult key={probeRun.run_id} {...probeRun} workspace={workspace} /> : null}
    </Flex>
  )
}

const OUTCOME_LOOKS = {
  stored: { Icon: IconCircleCheckFilled, color: 'var(--succeeded-fg)' },
  words: { Icon: IconCircleCheckFilled, color: 'var(--succeeded-fg)' },
  other: { Icon: IconHelpCircle, color: 'var(--interrupted-fg)' },
  own: { Icon: IconCircleX, color: 'var(--failed-fg)' },
  failed: { Icon: IconCircleX, color: 'var(--failed-fg)' },
}

/** Whether the stored answer was returned, according to the reply. */
function ProbeResult({ run_id, row, workspace }: { run_id: string; row: AnnotationRow; workspace: string }) {
  const t = useMessages(annotationMessages)
  const { turn, problem } = useTurn(run_id)
  if (problem) return <ProblemAlert problem={problem} action={t('probeWhat')} />
  if (!turn || !isTurnOver(turn))
    return (
      <Text role="status" fz="sm" c="dimmed">
        {t('probing')}
      </Text>
    )
  const { outcome, annotation_id, score } = toProbeOutcome(turn, row)
  const { Icon, color } = OUTCOME_LOOKS[outcome]
  return (
    <Paper component={Stack} radius="md" p="md">
      <Group role="status" gap="xs" c={color} fw={550}>
        <Icon size={16} aria-hidden="true" /> {t(`probeOutcome.${outcome}`)}
      </Group>
      {turn.problem ? <ProblemAlert problem={turn.problem} action={t('probeWhat')} /> : null}
      <Group gap="md" fz="sm">
        <Metric label={t('probeScore')} value={score} />
        <Metric label={t('probeId')} value={annotation_id ? <IdChip id={annotation_id} /> : null} />
        <Metric
          label={t('time')}
          value={turn.duration_ms === null ? null : t('secondsShort', { seconds: formatSeconds(turn.duration_ms) })}
        />
        <Button size="xs" variant="default" component={Link} to={paths.run(run_id, { workspace })}>
          {t('openRun')}
        </Button>
      </Group>
      {outcome === 'failed' ? null : (
        <TextDiff before={row.answer ?? ''} after={turn.answer.text} label={t('storedAnswerDiff')} />
      )}
    </Paper>
  )
}
