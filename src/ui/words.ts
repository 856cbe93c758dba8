import { type _Translator as Translator, createTranslator } from 'use-intl/core'

/** The words of one room as its `messages.ts` has them: texts in the syntax of ICU messages, by name or group and name. */
export interface Words {
  readonly [name: string]: string | Words
}

/** What `useWords` gives: the text by a name, with its values filled in. */
export type Say<Room extends Words> = Translator<Room>

const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
const made = new WeakMap<Words, unknown>()

/**
 * The words of a room, which come with the code that shows them: a screen that is loaded has its words, and none of
 * another room's. It is a hook so that a choice of language can come in here and nowhere else.
 */
export function useWords<Room extends Words>(room: Room): Say<Room> {
  const say = made.get(room) ?? createTranslator({ locale: 'en', messages: room, timeZone })
  made.set(room, say)
  return say as Say<Room>
}
