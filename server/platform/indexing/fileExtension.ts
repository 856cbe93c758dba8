import { extname } from 'node:path'

/** The extension of a file's name, in lower case and without its dot. */
export const getExtension = (name: string): string => extname(name).slice(1).toLowerCase()
