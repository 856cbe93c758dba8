/** What the server's process is started with. */
export const FLAGS: string[]
