import { optionalAppEndpoints } from '#contract/platform/optionalApps.ts'
import { optionalMessageEndpoints } from '#contract/platform/optionalMessages.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { useRead } from '../../../client/query.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { SideDrawer } from '../../../components/overlays/SideDrawer.tsx'
import { AnnotateDrawer } from '../../runs/annotate/AnnotateDrawer.tsx'
import { AnnotationForm } from '../../runs/annotate/AnnotationForm.tsx'
import { useTurn } from '../../runs/useTurn.ts'
import classes from '../Annotations.module.css'
import { annotationMessages } from '../messages.ts'
import type { RatedMessage } from './mergeRatings.ts'

/** The newest messages of the conversation that are searched: a page of the platform. */
const MAX_MESSAGES = 100

/** The annotation of a rated message that the ledger knows, from its turn. */
export function RunAnnotation(props: { run_id: string; workspace: string; app: Key; onClose: () => void }) {
  const { run_id, workspace, app, onClose } = props
  const t = useMessages(annotationMessages)
  const { turn, problem, retry } = useTurn(run_id)
  if (turn) return <AnnotateDrawer turn={turn} app={app} workspace={workspace} onClose={onClose} />
  return problem ? <ProblemAlert problem={problem} action={t('readRunWhat')} onRetry={retry} /> : null
}

/** The annotation of a rated message that the ledger does not know: its texts come from the platform's conversation. */
export function MessageAnnotation(props: { message: RatedMessage; app: Key; onClose: () => void }) {
  const { message, app, onClose } = props
  const { message_id, conversation_id, end_user_id } = message
  const t = useMessages(annotationMessages)
  // The list of messages takes the user's name, the rating has the platform's id of the user.
  const hasEndUser = end_user_id !== null && app.offers.includes('readEndUser')
  const endUser = useRead(
    optionalAppEndpoints.readEndUser,
    { key: app.id, params: { end_user_id: end_user_id ?? '' } },
    { enabled: hasEndUser },
  )
  const list = useRead(
    optionalMessageEndpoints.listMessages,
    {
      key: app.id,
      query: {
        conversation_id: conversation_id ?? '',
        user: endUser.data?.session_id ?? undefined,
        limit: MAX_MESSAGES,
      },
    },
    { enabled: !hasEndUser || endUser.isSuccess },
  )
  const failed = [endUser, list].find(({ error }) => error)
  const found = list.data?.data.find(({ id }) => id === message_id)
  return (
    <SideDrawer title={t('new')} onClose={onClose}>
      {failed?.error ? (
        <ProblemAlert problem={failed.error.problem} action={t('messageWhat')} onRetry={() => void failed.refetch()} />
      ) : !list.data ? (
        <SkeletonRows rows={4} height={40} />
      ) : found ? (
        <AnnotationForm
          app={app.id}
          initial={{ question: found.query ?? '', answer: found.answer ?? '' }}
          note={`from message ${found.id}`}
          draftName={`annotation.message.${found.id}`}
          onSaved={onClose}
          onCancel={onClose}
        />
      ) : (
        <p className={classes.note}>{t('messageNotFound', { n: MAX_MESSAGES })}</p>
      )}
    </SideDrawer>
  )
}
