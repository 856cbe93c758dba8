import { toNormalForm } from './compatibilityForm.ts'

/** Soft hyphens, zero-width characters, marks of direction and variation selectors. */
const INVISIBLE_CHARACTERS = /\p{Default_Ignorable_Code_Point}+/gu

export const removeInvisibleCharacters = (text: string): string => text.replace(INVISIBLE_CHARACTERS, '')

/**
 * Equal for texts that are the same to a reader: composed and decomposed forms, with or without invisible characters.
 * Case, width, accents and ß make a difference. For what may only look alike in a search there is `toSearchKey`.
 */
export const toSamenessKey = (text: string): string => toNormalForm(removeInvisibleCharacters(text), 'NFC')

export const isSameText = (one: string, other: string): boolean => toSamenessKey(one) === toSamenessKey(other)
