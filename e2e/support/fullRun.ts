/** `npm run test:full`: what takes long is checked as well. */
export const IS_FULL_RUN = process.env.TEST_FULL === '1'
