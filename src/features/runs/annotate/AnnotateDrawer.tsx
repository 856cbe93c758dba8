import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Key } from '#contract/console/workspaces.ts'
import { paths } from '#domain/paths.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { SideDrawer } from '../../../components/overlays/SideDrawer.tsx'
import type { Turn } from '../turn.ts'
import classes from './Annotate.module.css'
import { AnnotationForm } from './AnnotationForm.tsx'
import { annotateMessages } from './messages.ts'
import { AnnotationOrigin } from './AnnotationOrigin.tsx'
import { toQuestionAnswer } from './questionAnswer.ts'

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
        <div className={classes.saved}>
          <p role="status">{t('saved')}</p>
          <Button component={Link} to={paths.annotations({ workspace, app: app.id })}>
            {t('open')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('close')}
          </Button>
        </div>
      ) : (
        <div className={classes.box}>
          <p className={classes.note}>{t('why')}</p>
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
        </div>
      )}
    </SideDrawer>
  )
}
