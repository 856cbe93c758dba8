import { type HotkeyItem, useHotkeys, useLocalStorage } from '@mantine/hooks'

/** Whether single letters are keys. Speech input and a slip of the hand press them too, so they can be switched off. */
export const useLettersOn = () =>
  useLocalStorage({ key: 'loupe-letter-keys', defaultValue: true, getInitialValueInEffect: false })

/** Keys of one letter. They do nothing in a field, so neither while typing nor with an IME open. */
export function useLetterKeys(keys: HotkeyItem[]): void {
  const [isOn] = useLettersOn()
  useHotkeys(isOn ? keys : [])
}
