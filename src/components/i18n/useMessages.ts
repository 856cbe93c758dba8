import { type _Translator as Translator, createTranslator } from 'use-intl/core'

/** The words of one room as its `messages.ts` has them: texts in the syntax of ICU messages, by name or group and name. */
export interface MessageTree {
  readonly [name: string]: string | MessageTree
}

/** What `useWords` gives: the text by a name, with its values filled in. */
export type Translate<Room extends MessageTree> = Translator<Room>

const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
const translators = new WeakMap<MessageTree, unknown>()

/**
 * The words of a room, which come with the code that shows them: a screen that is loaded has its words, and none of
 * another room's. It is a hook so that a choice of language can come in here and nowhere else.
 */
export function useMessages<Room extends MessageTree>(messages: Room): Translate<Room> {
  const translate = translators.get(messages) ?? createTranslator({ locale: 'en', messages: messages, timeZone })
  translators.set(messages, translate)
  return translate as Translate<Room>
}
