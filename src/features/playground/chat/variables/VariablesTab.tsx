import { optionalConversationVariableEndpoints } from '#contract/platform/optionalConversationVariables.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { EmptyState } from '../../../../components/layout/EmptyState.tsx'
import { ProblemAlert } from '../../../../components/layout/ProblemAlert.tsx'
import { SkeletonRows } from '../../../../components/layout/SkeletonRows.tsx'
import { useRead } from '../../../../client/query.ts'
import { usePermission } from '../../../../client/usePermission.ts'
import { variableMessages } from './messages.ts'
import { VariableRow } from './VariableRow.tsx'
import classes from './VariablesTab.module.css'

/** The most variables that the platform lists at once. */
const MAX_VARIABLES = 100

export interface VariablesTabProps {
  app: Key
  conversation: string
  /** The owner of the conversation; the platform finds it under no other user. */
  user: string | undefined
}

/** The values that a chatflow keeps between the messages of a conversation. Needs its own mount (`key`) per conversation: a list keeps the former rows while the next ones load. */
export function VariablesTab({ app, conversation, user }: VariablesTabProps) {
  const t = useMessages(variableMessages)
  const can = usePermission()
  const list = useRead(optionalConversationVariableEndpoints.listConversationVariables, {
    key: app.id,
    params: { conversation_id: conversation },
    query: { user, limit: MAX_VARIABLES },
  })
  const canEdit =
    app.offers.includes('updateConversationVariable') &&
    can(optionalConversationVariableEndpoints.updateConversationVariable)
  if (list.isPending) return <SkeletonRows rows={3} height={64} />
  const variables = list.data?.data ?? []
  if (list.data && variables.length === 0 && !list.error)
    return <EmptyState title={t('none')}>{t('noneWhy')}</EmptyState>
  return (
    <div className={classes.tab}>
      {list.error ? (
        <ProblemAlert problem={list.error.problem} action={t('listWhat')} onRetry={() => void list.refetch()} />
      ) : null}
      <ul className={classes.list}>
        {variables.map((variable) => (
          <VariableRow
            key={variable.id}
            variable={variable}
            app={app.id}
            conversation={conversation}
            user={user}
            canEdit={canEdit}
          />
        ))}
      </ul>
      {list.data?.has_more ? <p className={classes.note}>{t('truncated', { count: MAX_VARIABLES })}</p> : null}
    </div>
  )
}
