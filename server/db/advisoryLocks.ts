/** The advisory locks of a database that servers share: whoever takes one of them keeps out those who take the same, and nobody else. */
export const ADVISORY_LOCKS = {
  /** Servers that start together migrate one after the other. */
  migration: 7_308_332,
  /** Each entry holds the hash of the one before. */
  audit: 7_308_333,
  /** One change of people at a time: two admins cannot each take the last other one away. */
  people: 7_308_334,
  /** One newcomer at a time: two sign-ins at once make one person. */
  provisioning: 7_308_335,
  /** The workspace of the built-in platform is made once. */
  builtInWorkspace: 7_308_336,
  /** Held, shared, by every built-in platform for as long as it lives. */
  platform: 7_308_337,
  /** A day is summed up while none of its runs changes. */
  dailyRollups: 7_308_338,
} as const
