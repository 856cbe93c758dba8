import type { RunState } from '#domain/workflowRun/runState.ts'
import { toSafeUrl } from '../../../components/markdown/pipeline/sanitizeSchema.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { timelineMessages } from '../timeline/messages.ts'
import { collectOutputFiles } from './collectOutputFiles.ts'
import classes from './OutputFiles.module.css'

/** The output files of a workflow, as links to the platform. Nothing loads before a click. */
export function OutputFiles({ run }: { run: RunState }) {
  const t = useMessages(timelineMessages)
  const files = collectOutputFiles(run.outputs, run.files)
  if (files.length === 0) return null
  return (
    <section className={classes.files} aria-label={t('files')}>
      <ul>
        {files.map(({ name, url, type }) => {
          const target = toSafeUrl(url)
          return (
            <li key={url}>
              {target ? (
                <a href={target.href} target="_blank" rel="noopener noreferrer nofollow" dir="auto">
                  {name}
                </a>
              ) : (
                <span dir="auto">{name}</span>
              )}{' '}
              <code>{type ?? t('notGiven')}</code> <small>{target ? target.host : url}</small>
            </li>
          )
        })}
      </ul>
      <p>{t('filesExpire')}</p>
    </section>
  )
}
