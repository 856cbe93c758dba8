import { Flex, Kbd, Stack, Switch, Text } from '@mantine/core'
import { Dialog } from '../../components/overlays/Dialog.tsx'
import { useShortcutsEnabled, useActiveShortcuts } from '../../components/hooks/useShortcuts.ts'
import { MODIFIER_KEY } from '../../components/hooks/modifierKey.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { MENU_SCREENS } from '../navigation.ts'
import { shellMessages } from '../shell/messages.ts'

/** Lists the shortcuts of this page and the global ones. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const t = useMessages(shellMessages)
  const [isOn, setOn] = useShortcutsEnabled()
  const activeShortcuts = useActiveShortcuts()
  const localShortcuts: ShortcutRow[] = (
    [
      [['/'], t('keySearch')],
      [['j', 'k'], t('keyRows')],
      [['x'], t('keySelect')],
      [['e'], t('keyEdit')],
      [['c'], t('keyCopyId')],
      [[']'], t('keyInspector')],
      [['1', '2', '3', '4', '5'].filter((key) => activeShortcuts.has(key)), t('keyTabs')],
      [['f'], t('keyFollow')],
      [['r'], t('keyReplay')],
      [['a'], t('keyAnnotate')],
      [['m'], t('keyMark')],
      [['s'], t('keySkip')],
      [['b'], t('keyBack')],
    ] satisfies ShortcutRow[]
  )
    .filter(([[first]]) => first !== undefined && activeShortcuts.has(first))
    // The row's own link opens it.
    .flatMap((row) => (row[0][0] === 'j' ? [row, [['Enter'], t('keyOpenRow')] satisfies ShortcutRow] : [row]))
  const globalShortcuts: ShortcutRow[] = [
    [[MODIFIER_KEY, 'K'], t('keyPalette')],
    [[MODIFIER_KEY, 'Enter'], t('keySend')],
    [['['], t('keyNavigation')],
    [['?'], t('keyKeys')],
    [['Esc'], t('keyClose')],
    ...MENU_SCREENS.flatMap(({ shortcut, title }): ShortcutRow[] =>
      shortcut ? [[['g', shortcut], t('keyGoTo', { title })]] : [],
    ),
  ]
  return (
    <Dialog onClose={onClose} title={t('keys')}>
      {localShortcuts.length > 0 ? <ShortcutList heading={t('pageShortcuts')} rows={localShortcuts} /> : null}
      <ShortcutList heading={t('globalShortcuts')} rows={globalShortcuts} />
      <Switch
        mt="md"
        label={t('singleKeyShortcuts')}
        description={t('singleKeyShortcutsHelp')}
        checked={isOn}
        onChange={(event) => setOn(event.currentTarget.checked)}
      />
    </Dialog>
  )
}

type ShortcutRow = readonly [combination: readonly string[], what: string]

function ShortcutList({ heading, rows }: { heading: string; rows: readonly ShortcutRow[] }) {
  return (
    <section aria-label={heading}>
      <Text component="h3" mt="sm" mb={4} c="dimmed" fz="sm" fw={550}>
        {heading}
      </Text>
      <Stack component="dl" gap="sm">
        {rows.map(([combination, what]) => (
          <Flex key={what}>
            <Flex component="dt" gap={4} w={120} flex="none">
              {combination.map((key) => (
                <Kbd key={key} size="xs">
                  {key}
                </Kbd>
              ))}
            </Flex>
            <Text component="dd" c="dimmed">
              {what}
            </Text>
          </Flex>
        ))}
      </Stack>
    </section>
  )
}
