import pino from 'pino'
import { openDatabase } from '../../db/database.ts'
import { TEST_KEYS } from '../platformKeys.fixture.ts'
import { buildPlatform } from '../platform.ts'

/** A platform in a process of its own, to be killed: `node server.fixture.ts <folder>` prints its address. */
const database = await openDatabase({ folder: process.argv[2] ?? '' })
const log = pino({ level: 'silent' })
const app = await buildPlatform({ database, keys: TEST_KEYS, model: null, log, version: '0', sample: false })
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}/v1\n`)
