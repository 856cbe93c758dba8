import { config } from 'zod'

// Zod compiles its checks with `new Function` where it may. Under the page's policy it may not, and asking is a violation.
config({ jitless: true })
