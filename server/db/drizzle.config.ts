import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: ['./server/*/schema.ts', './server/platform/apps/schema.ts'],
  out: './server/db/migrations',
})
