import type { Server, SettingDifference } from '#contract/console/servers.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { serverMessages } from './messages.ts'
import classes from './Servers.module.css'

interface SettingDifferencesProps {
  differences: readonly SettingDifference[]
  servers: readonly Server[]
}

/** The settings whose values differ, with the servers of each value. */
export function SettingDifferences({ differences, servers }: SettingDifferencesProps) {
  const t = useMessages(serverMessages)
  const toName = (id: string) => {
    const { hostname, address } = servers.find((server) => server.id === id) ?? {}
    return [hostname ?? id.slice(0, 8), address].filter(Boolean).join(' ')
  }
  return (
    <section className={classes.differences}>
      <h2>{t('differencesTitle', { count: differences.length })}</h2>
      <p>{t('differencesText')}</p>
      <dl>
        {differences.map(({ name, groups }) => (
          <div key={name}>
            <dt>{name}</dt>
            {groups.map((ids, index) => (
              <dd key={ids[0]}>{t('valueOf', { number: index + 1, servers: ids.map(toName).join(', ') })}</dd>
            ))}
          </div>
        ))}
      </dl>
    </section>
  )
}
