import { IconActivity, IconKey, IconQuote } from '@tabler/icons-react'
import { useWords } from '../../ui/words.ts'
import { Lens } from './Lens.tsx'
import { accessWords } from './messages.ts'
import classes from './SignInPage.module.css'

/** The right half: the lens over a stream, and what to expect of the console. */
export function About() {
  const t = useWords(accessWords)
  const facts = [
    { icon: IconKey, title: t('keysTitle'), text: t('keysText') },
    { icon: IconActivity, title: t('runsTitle'), text: t('runsText') },
    { icon: IconQuote, title: t('sourcesTitle'), text: t('sourcesText') },
  ]
  return (
    <aside className={classes.about} aria-label={t('about')}>
      <Lens />
      <ul>
        {facts.map(({ icon: Icon, title, text }) => (
          <li key={title}>
            <Icon size={16} stroke={1.8} aria-hidden="true" />
            <span>
              <b>{title}</b>
              {text}
            </span>
          </li>
        ))}
      </ul>
    </aside>
  )
}
