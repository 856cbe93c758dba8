/**
 * The version of `platform.passages.terms`: to be raised when the terms of a text change. Words of scripts without blanks
 * are those of ICU, so each of its major versions has its own; a server with an older one leaves newer rows alone.
 */
export const TERMS_VERSION = 3000 + Number.parseInt(process.versions.icu ?? '0', 10)
