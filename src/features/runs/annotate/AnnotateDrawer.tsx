import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { callEndpoints } from '#contract/console/calls.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { paths } from '#domain/paths.ts'
import { useRead } from '../../../client/query.ts'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { SideDrawer } from '../../../components/overlays/SideDrawer.tsx'
import type { Turn } from '../turn.ts'
import { AnnotationForm, type QuestionAnswer } from './AnnotationForm.tsx'
import { annotateMessages } from './messages.ts'

export interface AnnotateDrawerProps {
  turn: Turn
  app: Key
  workspace: string
  onClose: () => void
}

/** The annotation form in a drawer over the answer. */
export function AnnotateDrawer({ turn, app, workspace, onClose }: AnnotateDrawerProps) {
  const t = useMessages(annotateMessages)
  const [initial] = useState(() => toQuestionAnswer(turn))
  const [isSaved, setSaved] = useState(false)
  return (
    <SideDrawer title={t('annotateTitle')} onClose={onClose}>
      {isSaved ? (
        <Stack gap="md">
          <Text role="status">{t('saved')}</Text>
          <Button component={Link} to={paths.annotations({ workspace, app: app.id })}>
            {t('open')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('close')}
          </Button>
        </Stack>
      ) : (
        <Stack gap="md">
          <Text size="sm" c="var(--text-3)">
            {t('why')}
          </Text>
          <AnnotationOrigin run_id={turn.run_id} workspace={workspace} />
          <AnnotationForm
            app={app.id}
            initial={initial}
            parent={turn.run_id}
            note={`from run ${turn.run_id}`}
            draftName={`annotation.${turn.run_id}`}
            onSaved={() => setSaved(true)}
            onCancel={onClose}
          />
        </Stack>
      )}
    </SideDrawer>
  )
}

/** The initial values of an annotation. A completion's question is its inputs, one per line. */
export function toQuestionAnswer({ entry, question, answer }: Turn): QuestionAnswer {
  const words = Object.values(question.inputs).filter((value) => typeof value === 'string' && value.trim() !== '')
  return { question: entry === 'chat.send' ? question.query : words.join('\n'), answer: answer.text }
}

/** The source run of an annotation, and whether it already has one. */
function AnnotationOrigin({ run_id, workspace }: { run_id: string; workspace: string }) {
  const t = useMessages(annotateMessages)
  const { data } = useRead(callEndpoints.listCalls, {
    query: { resource: run_id, entry: 'annotations.create', status: 'succeeded', limit: 20 },
  })
  const [last] = data?.data ?? []
  return (
    <Text size="sm" c="var(--text-3)">
      {t.rich('fromRun', {
        id: run_id.slice(0, 8),
        run: (words) => <Link to={paths.run(run_id, { workspace })}>{words}</Link>,
      })}
      {last ? (
        <>
          {' '}
          {t.rich('earlier', {
            n: data?.data.length ?? 0,
            who: () =>
              t.rich('by', {
                person: last.person ?? t('nobody'),
                since: () => <RelativeTime at={last.created_at} />,
              }),
          })}
        </>
      ) : null}
    </Text>
  )
}
