import { Kbd, Modal } from '@mantine/core'
import { useTranslations } from 'use-intl'
import classes from './Keys.module.css'

/** The keys that work here. */
export function Keys({ onClose }: { onClose: () => void }) {
  const t = useTranslations('shell')
  const mod = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'
  const keys = [
    [[mod, 'K'], t('keyPalette')],
    [[mod, 'Enter'], t('keySend')],
    [['/'], t('keySearch')],
    [['g', 'c'], t('keyGoChat')],
    [['g', 'd'], t('keyGoDatasets')],
    [['['], t('keyNavigation')],
    [['?'], t('keyKeys')],
    [['Esc'], t('keyClose')],
  ] as const
  return (
    <Modal opened onClose={onClose} title={t('keys')} closeButtonProps={{ 'aria-label': t('keyClose') }}>
      <dl className={classes.keys}>
        {keys.map(([combination, what]) => (
          <div key={what}>
            <dt>
              {combination.map((key) => (
                <Kbd key={key} size="xs">
                  {key}
                </Kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
