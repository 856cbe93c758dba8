import type { RetrieverResource } from '#contract/platform/schemas.ts'
import { SourceCard } from './SourceCard.tsx'
import classes from './SourceCards.module.css'

export interface SourceCardsProps {
  sources: readonly RetrieverResource[]
  workspace: string | null
  /** The position of the one that was selected elsewhere. */
  selected: number | null
  /** The run that they are of, where this console has it. */
  run?: string
}

/** The sources of an answer under its words; nothing where there is none. */
export function SourceCards({ sources, workspace, selected, run }: SourceCardsProps) {
  if (sources.length === 0) return null
  return (
    <div className={classes.sources}>
      {sources.map((one, index) => {
        const position = one.position ?? index + 1
        return (
          <SourceCard
            key={index}
            source={one}
            position={position}
            workspace={workspace}
            selected={selected === position}
            {...(run === undefined ? {} : { run })}
          />
        )
      })}
    </div>
  )
}
