import classes from './CallList.module.css'

/** The part of a call where a search found its words, with the words marked. */
export function MatchExcerpt({ text, words }: { text: string; words: string }) {
  const at = text.toLowerCase().indexOf(words.toLowerCase().replaceAll(/\s+/g, ' '))
  if (at < 0) return <small className={classes.excerpt}>{text}</small>
  const end = at + words.length
  return (
    <small className={classes.excerpt} dir="auto">
      {text.slice(0, at)}
      <mark>{text.slice(at, end)}</mark>
      {text.slice(end)}
    </small>
  )
}
