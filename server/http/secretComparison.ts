import { createHash, timingSafeEqual } from 'node:crypto'

/** Whether two secrets are the same. How long it takes says nothing about where they differ, or about their lengths. */
export const isSameSecret = (given: string, secret: string): boolean => timingSafeEqual(sha256(given), sha256(secret))

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()
