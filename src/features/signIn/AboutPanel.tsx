import { IconActivity, IconKey, IconQuote } from '@tabler/icons-react'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { LensIllustration } from './LensIllustration.tsx'
import { signInMessages } from './messages.ts'
import classes from './SignInPage.module.css'

/** The right half: the lens over a stream, and what to expect of the console. */
export function AboutPanel() {
  const t = useMessages(signInMessages)
  const facts = [
    { icon: IconKey, title: t('keysTitle'), text: t('keysText') },
    { icon: IconActivity, title: t('runsTitle'), text: t('runsText') },
    { icon: IconQuote, title: t('sourcesTitle'), text: t('sourcesText') },
  ]
  return (
    <aside className={classes.about} aria-label={t('about')}>
      <LensIllustration />
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
