import { type _Translator as Translator, createTranslator } from 'use-intl/core'
import { commonMessages } from './commonMessages.ts'

/** The texts of a feature as its `messages.ts` has them: ICU messages by name, or by group and name. */
export interface MessageTree {
  readonly [name: string]: string | MessageTree
}

/** What `useMessages` returns: the text by its name, with values filled in. */
export type Translate<Messages extends MessageTree> = Translator<Omit<typeof commonMessages, keyof Messages> & Messages>

const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
const translators = new WeakMap<MessageTree, unknown>()

/**
 * The texts of a feature and the common ones. They load with the code that shows them, so no screen loads the texts
 * of another. A hook, so that language selection can be added in one place.
 */
export function useMessages<Messages extends MessageTree>(messages: Messages): Translate<Messages> {
  const translate =
    translators.get(messages) ??
    createTranslator({ locale: 'en', messages: { ...commonMessages, ...messages }, timeZone })
  translators.set(messages, translate)
  return translate as Translate<Messages>
}
