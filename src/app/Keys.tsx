import { Kbd, Modal, Switch } from '@mantine/core'
import { useLettersOn } from '../ui/useLetterKeys.ts'
import { MOD_KEY } from '../ui/modKey.ts'
import { useWords } from '../ui/words.ts'
import classes from './Keys.module.css'
import { shellWords } from './messages.ts'

/** The keys that work here. */
export function Keys({ onClose }: { onClose: () => void }) {
  const t = useWords(shellWords)
  const [isOn, setOn] = useLettersOn()
  const keys = [
    [[MOD_KEY, 'K'], t('keyPalette')],
    [[MOD_KEY, 'Enter'], t('keySend')],
    [['/'], t('keySearch')],
    [['g', 'h'], t('keyGoHome')],
    [['g', 'c'], t('keyGoChat')],
    [['g', 't'], t('keyGoCompletion')],
    [['g', 'w'], t('keyGoWorkflows')],
    [['g', 'r'], t('keyGoRuns')],
    [['g', 'b'], t('keyGoCompare')],
    [['g', 'q'], t('keyGoBatches')],
    [['g', 'a'], t('keyGoAnnotations')],
    [['g', 'd'], t('keyGoDatasets')],
    [['g', 'l'], t('keyGoLedger')],
    [['j', 'k'], t('keyRows')],
    [['['], t('keyNavigation')],
    [[']'], t('keyInspector')],
    [['1', '2', '3'], t('keyTabs')],
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
      <Switch
        mt="md"
        label={t('letters')}
        description={t('lettersWhy')}
        checked={isOn}
        onChange={(event) => setOn(event.currentTarget.checked)}
      />
    </Modal>
  )
}
