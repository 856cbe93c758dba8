import { toNormalForm } from './compatibilityForm.ts'

/** Soft hyphens, zero-width characters, directional marks and variation selectors. */
const INVISIBLE_CHARACTERS = /\p{Default_Ignorable_Code_Point}+/gu

export const removeInvisibleCharacters = (text: string): string => text.replace(INVISIBLE_CHARACTERS, '')

/**
 * Equal for texts that are identical to a reader: composed and decomposed forms, with or without invisible
 * characters. Case, width, accents and ß matter. For the looser match of a search use `toSearchKey`.
 */
export const toSamenessKey = (text: string): string => toNormalForm(removeInvisibleCharacters(text), 'NFC')

export const isSameText = (one: string, other: string): boolean => toSamenessKey(one) === toSamenessKey(other)
