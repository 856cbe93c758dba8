import { Button, Checkbox, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { type CaseExpectation, CaseInput, type SuiteTarget, suiteEndpoints } from '#contract/console/suites.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { truncateText } from '#contract/truncatedText.ts'
import { paths } from '#domain/paths.ts'
import { useRead, useWrite } from '../../../client/query.ts'
import fields from '../../../components/forms/Fields.module.css'
import { FormDrawer } from '../../../components/forms/FormDrawer.tsx'
import { useContractForm } from '../../../components/forms/useContractForm.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { ReadBoundary } from '../../../components/layout/ReadBoundary.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { SideDrawer } from '../../../components/overlays/SideDrawer.tsx'
import type { Turn } from '../turn.ts'
import { type CaseDraft, toCaseInput, toFilesText, toInputsText } from './caseDraft.ts'
import { CaseFields } from './CaseFields.tsx'
import { testCaseMessages } from './messages.ts'

interface TestCaseDrawerProps {
  turn: Turn
  app: Key
  target: SuiteTarget
  workspace: string
  onClose: () => void
}

const MAX_SUITES = 50
const MAX_LABEL_CHARS = 300
const MAX_SOURCES = 100

/** The form of a case over the answer that it is made from. */
export function TestCaseDrawer({ turn, app, target, workspace, onClose }: TestCaseDrawerProps) {
  const t = useMessages(testCaseMessages)
  const suites = useRead(suiteEndpoints.listSuites, {
    query: { workspace, target, about: app.id, limit: MAX_SUITES },
  })
  const create = useWrite(suiteEndpoints.createSuite)
  const add = useWrite(suiteEndpoints.addSuiteCases)
  const [savedIn, setSavedIn] = useState<string | null>(null)
  const [sources] = useState(() => toExpectedSources(turn))
  const [initialDraft] = useState(() => toCaseDraft(target, turn))
  const form = useContractForm({
    schema: suiteEndpoints.createSuite.body,
    initialValues: { suite: '', name: app.label, draft: initialDraft, expectsSources: false },
    toBody: ({ suite, name, draft, expectsSources }) => ({
      workspace,
      name: findSuite(suite)?.name ?? name.trim(),
      target,
      about: app.id,
      cases: [
        {
          input: toCaseInput(target, draft),
          expected: {
            ...(draft.answer.trim() === '' ? {} : { answer: draft.answer.trim() }),
            ...(expectsSources ? { segments: sources } : {}),
          },
          checks: expectsSources ? [...draft.checks, { type: 'cites' }] : draft.checks,
          source_run: turn.run_id,
        },
      ],
    }),
    send: async (body) => {
      const suite = findSuite(form.form.getValues('suite'))
      if (!suite) return (await create.mutateAsync({ body })).id
      const { added } = await add.mutateAsync({ params: { suite_id: suite.id }, body: { cases: body.cases } })
      return added > 0 ? suite.id : null
    },
    onDone: setSavedIn,
  })
  const draft = form.controlled('draft')
  const suiteId = form.controlled('suite')
  const suite = findSuite(suiteId.value)
  if (savedIn !== null)
    return (
      <SideDrawer title={t('makeCase')} onClose={onClose}>
        <Stack gap="md">
          <Text role="status">{t('added')}</Text>
          <Button component={Link} to={paths.suite(savedIn, { workspace })}>
            {t('openSuite')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('close')}
          </Button>
        </Stack>
      </SideDrawer>
    )
  return (
    <FormDrawer
      form={form}
      title={t('makeCase')}
      submitLabel={t('addCase')}
      isSubmitDisabled={!suites.data || !toCaseInput(target, draft.value)}
      action={t('addWhat')}
      onClose={onClose}
    >
      <ReadBoundary read={suites} action={t('listSuitesWhat')} loading={<SkeletonRows rows={6} height={34} />}>
        {({ data }) => (
          <>
            <p className={fields.note}>{t('makeCaseWhy')}</p>
            {data.length > 0 ? (
              <NativeSelect
                label={t('suite')}
                value={suite?.id ?? NEW_SUITE}
                data={[
                  ...data.map(({ id, name: label }) => ({ value: id, label })),
                  { value: NEW_SUITE, label: t('newSuite') },
                ]}
                onChange={(event) => suiteId.onChange(event.currentTarget.value)}
              />
            ) : null}
            {suite ? null : (
              <TextInput {...form.field('name')} label={t('newSuiteName')} maxLength={120} autoComplete="off" />
            )}
            {turn.question.conversation_id ? <p className={fields.note}>{t('earlierTurnsOfRun')}</p> : null}
            <CaseFields
              workspace={workspace}
              target={target}
              draft={draft.value}
              onChange={draft.onChange}
              showsErrors={form.form.formState.isSubmitted}
            />
            {suite && suite.checks.length > 0 ? (
              <p className={fields.note}>
                {t('checksOfSuite', { checks: suite.checks.map(({ type }) => type).join(', ') })}
              </p>
            ) : null}
            {sources.length > 0 ? (
              <Checkbox {...form.checkbox('expectsSources')} label={t('expectSources', { n: sources.length })} />
            ) : null}
            {add.data?.added === 0 ? <p role="status">{t('isKept')}</p> : null}
          </>
        )}
      </ReadBoundary>
    </FormDrawer>
  )

  /** The suite that was chosen, or the first; undefined for a new one. */
  function findSuite(chosen: string) {
    const [first] = suites.data?.data ?? []
    return chosen === '' ? first : suites.data?.data.find(({ id }) => id === chosen)
  }
}

const NEW_SUITE = 'new'

/** The draft of a case that asks what a run was asked, and expects its answer. */
function toCaseDraft(target: SuiteTarget, { question, answer }: Turn): CaseDraft {
  const [output] = Object.entries((answer.run.outputs ?? {}) as Record<string, unknown>)
  return {
    query: question.query,
    earlierTurns: '',
    inputs: toInputsText(question.inputs),
    files: toFilesText(CaseInput.shape.files.safeParse(question.body.files).data),
    answer: answer.text,
    checks:
      target === 'workflow' && answer.text === ''
        ? output
          ? [{ type: 'json-path', path: `$.outputs['${output[0]}']`, value: output[1] }]
          : []
        : [{ type: 'similar' }],
  }
}

/** The sources of an answer, each once, as a case expects them. */
function toExpectedSources({ answer }: Turn): NonNullable<CaseExpectation['segments']> {
  const sources = answer.sources.flatMap(({ segment_id, document_id, document_name }) =>
    segment_id
      ? [
          {
            id: segment_id,
            ...(document_id ? { document_id } : {}),
            ...(document_name ? { label: truncateText(document_name, MAX_LABEL_CHARS) } : {}),
          },
        ]
      : [],
  )
  return [...new Map(sources.map((source) => [source.id, source])).values()].slice(0, MAX_SOURCES)
}
