import { Kbd, Modal, Switch } from '@mantine/core'
import { useLettersOn, usePressableKeys } from '../ui/useLetterKeys.ts'
import { MOD_KEY } from '../ui/modKey.ts'
import { useWords } from '../ui/words.ts'
import classes from './Keys.module.css'
import { shellWords } from './messages.ts'

/** The keys that work on this page, and those that work everywhere. */
export function Keys({ onClose }: { onClose: () => void }) {
  const t = useWords(shellWords)
  const [isOn, setOn] = useLettersOn()
  const pressable = usePressableKeys()
  const here: Row[] = (
    [
      [['/'], t('keySearch')],
      [['j', 'k'], t('keyRows')],
      [[']'], t('keyInspector')],
      [['1', '2', '3', '4', '5'].filter((key) => pressable.has(key)), t('keyTabs')],
      [['f'], t('keyFollow')],
      [['r'], t('keyReplay')],
      [['a'], t('keyAnnotate')],
      [['m'], t('keyMark')],
      [['s'], t('keySkip')],
      [['b'], t('keyBack')],
    ] satisfies Row[]
  ).filter(([[first]]) => first !== undefined && pressable.has(first))
  const everywhere: Row[] = [
    [[MOD_KEY, 'K'], t('keyPalette')],
    [[MOD_KEY, 'Enter'], t('keySend')],
    [['['], t('keyNavigation')],
    [['?'], t('keyKeys')],
    [['Esc'], t('keyClose')],
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
  ]
  return (
    <Modal opened onClose={onClose} title={t('keys')} closeButtonProps={{ 'aria-label': t('keyClose') }}>
      {here.length > 0 ? <List heading={t('keysHere')} rows={here} /> : null}
      <List heading={t('keysEverywhere')} rows={everywhere} />
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

type Row = readonly [combination: readonly string[], what: string]

function List({ heading, rows }: { heading: string; rows: readonly Row[] }) {
  return (
    <section aria-label={heading}>
      <h3 className={classes.heading}>{heading}</h3>
      <dl className={classes.keys}>
        {rows.map(([combination, what]) => (
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
    </section>
  )
}
