import { IconNote } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { AnswerState } from '#domain/answer/answerState.ts'
import { asId, asRecord, asText } from '#domain/stream/untrustedJson.ts'
import { paths } from '#domain/paths.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { runMessages } from '../detail/messages.ts'
import classes from './AnnotationMark.module.css'

interface AnnotationMarkProps {
  answer: Pick<AnswerState, 'annotation_reply' | 'run_after_end' | 'problem'>
  workspace: string
  /** The key of the app; without it there is no link to the annotation. */
  app: string | null
}

/** Says that an answer is, or may be, the stored one of an annotation, with a link to it. Nothing for other answers. */
export function AnnotationMark({ answer, workspace, app }: AnnotationMarkProps) {
  const t = useMessages(runMessages)
  const annotation = asRecord(answer.annotation_reply)
  if (!annotation && (!answer.run_after_end || answer.problem)) return null
  const id = asId(annotation?.['id']) ?? asId(annotation?.['annotation_id'])
  const author = asText(asRecord(annotation?.['account'])?.['name'])
  return (
    <p className={classes.mark} title={t(annotation ? 'fromAnnotationWhy' : 'beforeWorkflowWhy')}>
      <IconNote size={14} aria-hidden />
      <span>
        {t(annotation ? 'fromAnnotation' : 'beforeWorkflow')}
        {author ? ` (${author})` : null}
      </span>
      {id && app ? <Link to={paths.annotations({ workspace, app, annotation: id })}>{t('openAnnotation')}</Link> : null}
    </p>
  )
}
