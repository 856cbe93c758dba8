/**
 * The version of `platform.passages.terms`: raise it when the terms of a text change. Words of scripts without blanks
 * come from ICU, so each of its major versions has its own; a server with an older one does not change newer rows.
 */
export const TERMS_VERSION = 3000 + Number.parseInt(process.versions.icu ?? '0', 10)
