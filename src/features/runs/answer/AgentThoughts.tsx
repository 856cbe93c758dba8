import type { Thought } from '#domain/answer/answerState.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { runMessages } from '../detail/messages.ts'
import classes from './Steps.module.css'
import { truncateText } from '#contract/truncatedText.ts'

/** The steps of an agent, folded: thought, tool call with its input, observation. */
export function AgentThoughts({ thoughts }: { thoughts: readonly Thought[] }) {
  const t = useMessages(runMessages)
  if (thoughts.length === 0) return null
  return (
    <details className={classes.steps}>
      <summary>{t('thoughts', { count: thoughts.length })}</summary>
      <ol>
        {thoughts.map((one, index) => (
          <li key={one.id}>
            <details className={classes.step}>
              <summary>
                <span className={classes.number}>{one.position ?? index + 1}</span>
                {one.tool ? <code>{one.tool.split(';').join(', ')}</code> : null}
                <span className={classes.name}>{one.thought || (one.tool ? '' : t('thoughtNotGiven'))}</span>
              </summary>
              <ThoughtPart name={t('thought')} text={one.thought} />
              <ThoughtPart name={t('toolInput')} text={one.tool_input} isCode />
              <ThoughtPart name={t('observation')} text={one.observation} isCode />
              {one.message_files.length > 0 ? (
                <ThoughtPart name={t('files')} text={one.message_files.join('\n')} isCode />
              ) : null}
            </details>
          </li>
        ))}
      </ol>
    </details>
  )
}

/** One part of a step, truncated if very long: the inspector shows all of it. */
function ThoughtPart({ name, text, isCode = false }: { name: string; text: string | null; isCode?: boolean }) {
  const t = useMessages(runMessages)
  if (!text) return null
  return (
    <div className={classes.part}>
      <h3>{name}</h3>
      <pre data-code={isCode || undefined} tabIndex={0} dir="auto">
        {truncateText(text, MAX_PART_CHARS)}
      </pre>
      {text.length > MAX_PART_CHARS ? <p>{t('partCut', { shown: MAX_PART_CHARS, length: text.length })}</p> : null}
    </div>
  )
}

const MAX_PART_CHARS = 20_000
